// Stop running calls of the kernel from another thread, and report their progress.
//
// Invariant: a call has one Watch, on the stack of its thread. The share that it reports is always between 0
// and 1, even if the expected work was estimated wrongly.

#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <stdexcept>

namespace arbitree {

class Interrupted : public std::runtime_error {
 public:
  Interrupted() : std::runtime_error("the computation was interrupted") {}
};

// Set by one thread, looked at by all that compute.
inline std::atomic<bool> stop_flag{false};

inline void look_for_stop() {
  if (stop_flag.load(std::memory_order_relaxed)) [[unlikely]]
    throw Interrupted();
}

class Watch {
 public:
  // expected: the work of the call, in any unit.
  explicit Watch(double expected) : expected_(expected), outer_(current_) { current_ = this; }
  ~Watch() {
    running_ -= told_;
    current_ = outer_;
  }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  // What running calls have done, in whole calls.
  static double share() { return static_cast<double>(running_.load()) / kParts; }

  // Adds work that is done. A thread without a Watch does nothing, here and below.
  static void advance(double work) {
    if (current_ == nullptr) return;
    current_->done_ += work;
    if (++current_->calls_ % 64 == 0) current_->look(0);
  }

  // Reports the share of a long piece of work that is done; called often during that work.
  static void within(double work, double part) {
    if (current_ != nullptr) current_->look(work * std::clamp(part, 0.0, 1.0));
  }

  // Called from time to time in every thread that has a Watch; may throw.
  static inline void (*signals)() = nullptr;

 private:
  static constexpr double kParts = 1e6;
  static constexpr std::chrono::milliseconds kEvery{100};

  void look(double more) {
    const auto now = std::chrono::steady_clock::now();
    if (now < next_) return;
    next_ = now + kEvery;
    const double share = expected_ > 0 ? std::clamp((done_ + more) / expected_, 0.0, 1.0) : 0;
    const auto parts = static_cast<std::int64_t>(share * kParts);
    running_ += parts - told_;
    told_ = parts;
    if (signals != nullptr) signals();
  }

  static inline std::atomic<std::int64_t> running_{0};
  static inline thread_local Watch* current_ = nullptr;

  const double expected_;
  Watch* const outer_;
  double done_ = 0;
  std::int64_t told_ = 0;
  std::uint32_t calls_ = 0;
  std::chrono::steady_clock::time_point next_ = std::chrono::steady_clock::now() + kEvery;
};

}  // namespace arbitree
