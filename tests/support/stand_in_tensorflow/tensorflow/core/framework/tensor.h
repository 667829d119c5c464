// In place of TensorFlow's header of this name: as much of its classes, with their signatures, as
// tmci/backend.hpp and the plugin of tests/package use. So that header is compiled and called where
// there is no TensorFlow; tests/integration/backends_test.py does the same with the real one.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace tensorflow {

enum DataType { DT_INVALID = 0, DT_FLOAT = 1, DT_DOUBLE = 2, DT_STRING = 7, DT_INT64 = 9 };

inline int DataTypeSize(DataType type) {
  return type == DT_FLOAT ? 4 : type == DT_DOUBLE || type == DT_INT64 ? 8 : 0;
}

class AllocationDescription;

class TensorShape {
 public:
  void AddDim(std::int64_t size) { dims_.push_back(size); }
  int dims() const { return static_cast<int>(dims_.size()); }
  std::int64_t num_elements() const {
    std::int64_t count = 1;
    for (const std::int64_t dim : dims_) count *= dim;
    return count;
  }

 private:
  std::vector<std::int64_t> dims_;
};

class TensorBuffer {
 public:
  explicit TensorBuffer(void* data) : data_(data) {}
  virtual ~TensorBuffer() {}
  void* data() const { return data_; }
  virtual std::size_t size() const = 0;
  virtual TensorBuffer* root_buffer() = 0;
  virtual void FillAllocationDescription(AllocationDescription* proto) const = 0;
  virtual bool OwnsMemory() const { return true; }
  void Ref() { ++references_; }
  void Unref() {
    if (--references_ == 0) delete this;
  }

 private:
  void* data_;
  std::atomic<int> references_{1};
};

class Tensor {
 public:
  Tensor(DataType type, const TensorShape& shape, TensorBuffer* buffer)
      : type_(type), shape_(shape), buffer_(buffer) {
    buffer_->Ref();
  }
  Tensor(const Tensor& other) : Tensor(other.type_, other.shape_, other.buffer_) {}
  Tensor& operator=(const Tensor&) = delete;
  ~Tensor() { buffer_->Unref(); }
  DataType dtype() const { return type_; }
  int dims() const { return shape_.dims(); }
  std::string_view tensor_data() const {
    return {static_cast<const char*>(buffer_->data()),
            static_cast<std::size_t>(shape_.num_elements()) *
                static_cast<std::size_t>(DataTypeSize(type_))};
  }

 private:
  DataType type_;
  TensorShape shape_;
  TensorBuffer* buffer_;
};

}  // namespace tensorflow
