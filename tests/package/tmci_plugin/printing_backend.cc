// A backend as its author may have written it for TMCI: nothing here knows of Tideline. Like
// TMCI's own example it prints without including <iostream>.
#include <tensorflow/core/framework/tensor.h>

#include <cstring>
#include <map>
#include <stdexcept>
#include <string>
#include <tmci/backend.hpp>
#include <vector>

namespace example {

using Tensors = std::vector<std::reference_wrapper<const tensorflow::Tensor>>;

class PrintingBackend : public tmci::Backend {
 public:
  PrintingBackend(const char* config) {
    std::cout << "[DUMMY] Initialization, config: " << config << std::endl;
  }
  ~PrintingBackend() = default;

  int Save(const Tensors& tensors) override { return Print("Saving", tensors); }
  int Load(const Tensors& tensors) override { return Print("Loading", tensors); }

 private:
  static int Print(const char* what, const Tensors& tensors) {
    std::cout << "[DUMMY] " << what << " " << tensors.size() << " tensors:" << std::endl;
    for (const tensorflow::Tensor& t : tensors) {
      std::cout << "  data=" << (void*)t.tensor_data().data() << " size=" << t.tensor_data().size()
                << std::endl;
    }
    return 0;
  }
};

int live = 0;

// Keeps bytes by position. The configuration says what goes wrong.
class KeepingBackend : public tmci::Backend {
  std::string m_config;
  std::vector<std::string> m_kept;

 public:
  KeepingBackend(const char* config) : m_config(config) {
    if (m_config == "throw") throw std::runtime_error("no such server");
    ++live;
  }
  ~KeepingBackend() { --live; }

  int Save(const Tensors& tensors) override {
    if (m_config == "fail") return 42;
    if (m_config == "throw later") throw 7;
    m_kept.clear();
    for (auto& ref : tensors) {
      auto data = ref.get().tensor_data();
      m_kept.emplace_back(data.data(), data.size());
      if (ref.get().dims() != 1 || ref.get().dtype() != tensorflow::DT_FLOAT) return 43;
    }
    return 0;
  }

  int Load(const Tensors& tensors) override {
    if (tensors.size() != m_kept.size()) return 1;
    for (size_t i = 0; i < tensors.size(); ++i) {
      auto data = tensors[i].get().tensor_data();
      memcpy(const_cast<char*>(data.data()), m_kept[i].data(), data.size());
      if (m_config == "half") return 44;
    }
    return 0;
  }
};

}  // namespace example

TMCI_REGISTER_BACKEND(printing, example::PrintingBackend);
TMCI_REGISTER_BACKEND(keeping, example::KeepingBackend)

// For tests that look whether objects are closed.
extern "C" int live_keeping_backends() {
  return example::live;
}
