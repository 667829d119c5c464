// Problem: a log of a gigabyte becomes columns of some megabytes each. A vector that grows
//   allocates larger memory, copies, and gives the old one back: every page is touched several
//   times, and the first touch of a page costs as much as copying thousands of bytes.
// Idea: large memory comes from the kernel by itself, which can move its pages to where there is
//   room for more (mremap), so each page is touched once. Small memory comes from malloc.
// Cost: growing from n to 2n bytes: O(n) below 128 KiB, above one system call.
// Tested by unit/base/growing_array_test.cc.
#include "core/base/growing_array.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <new>

namespace tideline {
namespace {

constexpr std::size_t kLeastMapped = std::size_t{1} << 17U;
constexpr std::size_t kLeastLarge = std::size_t{1} << 23U;
constexpr std::size_t kPage = 4096;

bool is_mapped(std::size_t size) {
  return size >= kLeastMapped;
}

char* mapped(std::size_t size) {
  void* memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  return static_cast<char*>(memory);
}

// Pages of two megabytes, where the kernel has some, take one fault instead of 512.
void ask_for_large_pages(char* memory, std::size_t size) {
  if (size >= kLeastLarge) (void)::madvise(memory, size, MADV_HUGEPAGE);
}

}  // namespace

PagedBytes::~PagedBytes() {
  if (is_mapped(size_)) {
    ::munmap(data_, size_);
  } else {
    std::free(data_);
  }
}

void PagedBytes::grow(std::size_t size) {
  if (size <= size_) return;
  if (size > PTRDIFF_MAX - kPage) throw std::bad_alloc();
  if (!is_mapped(size)) {
    void* memory = std::realloc(data_, size);
    if (memory == nullptr) throw std::bad_alloc();
    data_ = static_cast<char*>(memory);
    size_ = size;
    return;
  }
  size = (size + kPage - 1) / kPage * kPage;
  if (is_mapped(size_)) {
    void* memory = ::mremap(data_, size_, size, MREMAP_MAYMOVE);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    data_ = static_cast<char*>(memory);
  } else {
    char* memory = mapped(size);
    std::copy_n(data_, size_, memory);
    std::free(data_);
    data_ = memory;
  }
  ask_for_large_pages(data_, size);
  size_ = size;
}

}  // namespace tideline
