// The life of functions: RF-01..05, RF-08, OS-01..03, CP-03.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pipeline/graph/stream.hpp"

namespace sluice {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using Trace = std::vector<std::string>;

/// Writes down every call it gets.
class Tracing final : public ProcessFunction<int, int>, public CheckpointedFunction {
 public:
  Tracing(std::string name, Trace* trace, bool throw_in_close = false)
      : name_{std::move(name)}, trace_{trace}, throw_in_close_{throw_in_close} {}
  void initialize_state(FunctionInitializationContext& context) override {
    say(context.is_restored() ? "initialize restored" : "initialize");
    (void)runtime_context();  // there by now
  }
  void open(RuntimeContext&) override { say("open"); }
  void process_element(const int& value, Context&, Collector<int>& out) override {
    say(std::to_string(value));
    out.collect(value);
  }
  void snapshot_state(std::uint64_t id) override { say("snapshot " + std::to_string(id)); }
  void notify_checkpoint_complete(std::uint64_t id) override {
    say("complete " + std::to_string(id));
  }
  void close() override {
    say("close");
    if (throw_in_close_) throw std::runtime_error{"cannot close"};
  }

 private:
  void say(const std::string& what) { trace_->push_back(name_ + ": " + what); }
  std::string name_;
  Trace* trace_;
  bool throw_in_close_;
};

class TracingSink final : public SinkFunction<int> {
 public:
  explicit TracingSink(Trace* trace) : trace_{trace} {}
  void open(RuntimeContext&) override { trace_->push_back("sink: open"); }
  void invoke(const int& value, OptionalTimestamp) override {
    if (value < 0) throw std::runtime_error{"negative"};
  }
  void finish() override { trace_->push_back("sink: finish"); }
  void close() override { trace_->push_back("sink: close"); }

 private:
  Trace* trace_;
};

class LifeCycle : public testing::Test {
 protected:
  void chain(bool throw_in_close = false) {
    env.from_source<int>("in")
        .process<Tracing>("a", &trace, throw_in_close)
        .uid("a")
        .process<Tracing>("b", &trace)
        .uid("b")
        .sink_to<TracingSink>(&trace);
  }
  std::unique_ptr<Job> start(JobOptions options = {}) {
    auto job = Job::start(env, options);
    EXPECT_TRUE(job);
    return std::move(job).value();
  }
  /// What was traced since the last call.
  Trace take() { return std::exchange(trace, {}); }
  Environment env;
  Trace trace;
};

TEST_F(LifeCycle, GoesFromInitializeToCloseAlongTheChain) {  // RF-01, RF-02, RF-03, OS-01, OS-02
  chain();
  const auto job = start();
  EXPECT_THAT(take(),
              ElementsAre("sink: open", "b: initialize", "b: open", "a: initialize", "a: open"));
  job->emit("in", 1);
  EXPECT_THAT(take(), ElementsAre("a: 1", "b: 1"));
  MemorySnapshot snapshot;
  job->snapshot(snapshot, true, 7);
  EXPECT_THAT(take(), ElementsAre("a: snapshot 7", "b: snapshot 7"));
  job->emit("in", 2);  // CP-03: elements in between
  take();
  job->notify_checkpoint_complete(7);
  EXPECT_THAT(take(), ElementsAre("a: complete 7", "b: complete 7"));
  job->finish();
  EXPECT_THAT(take(), ElementsAre("sink: finish", "sink: close", "b: close", "a: close"));
  job->close();
  EXPECT_THAT(take(), IsEmpty());
}

TEST_F(LifeCycle, AfterAFailureCloseIsCalledAndFinishIsNot) {  // RF-02
  chain();
  {
    const auto job = start();
    EXPECT_THROW(job->emit("in", -1), OperatorFailure);
    take();
  }
  EXPECT_THAT(trace, ElementsAre("sink: close", "b: close", "a: close"));
}

TEST_F(LifeCycle, AFailingCloseHidesNothingAndKeepsNobodyFromClosing) {  // RF-02
  chain(true);
  const auto job = start();
  take();
  EXPECT_NO_THROW(job->close());
  EXPECT_THAT(trace, ElementsAre("sink: close", "b: close", "a: close"));
}

TEST_F(LifeCycle, RestoredIsWhoeverTheJobRestoresEvenWithNothing) {  // OS-03
  chain();
  const JobSnapshot empty;
  const auto job = start({.restore = &empty});
  EXPECT_THAT(take(), ElementsAre("sink: open", "b: initialize restored", "b: open",
                                  "a: initialize restored", "a: open"));
}

TEST_F(LifeCycle, ThereIsNoRuntimeContextBeforeTheOperatorStarts) {  // RF-04
  const Tracing function{"x", &trace};
  EXPECT_THROW((void)function.runtime_context(), IllegalState);
}

TEST_F(LifeCycle, EachInstanceHasAFunctionOfItsOwn) {  // RF-05
  env.from_source<int>("in").process<Tracing>("p", &trace).uid("p").set_parallelism(3);
  const auto job = start();
  EXPECT_THAT(take(), ElementsAre("p: initialize", "p: open", "p: initialize", "p: open",
                                  "p: initialize", "p: open"));
}

class FailsToOpen final : public ProcessFunction<int, int> {
 public:
  explicit FailsToOpen(Trace* trace) : trace_{trace} {}
  void open(RuntimeContext&) override { throw std::runtime_error{"no such table"}; }
  void process_element(const int&, Context&, Collector<int>&) override {}
  void close() override { trace_->push_back("x: close of " + runtime_context().task().uid); }

 private:
  Trace* trace_;
};

class FailsToInitialize final : public ProcessFunction<int, int>, public CheckpointedFunction {
 public:
  explicit FailsToInitialize(Trace* trace) : trace_{trace} {}
  void initialize_state(FunctionInitializationContext&) override {
    throw std::runtime_error{"no such list"};
  }
  void snapshot_state(std::uint64_t) override {}
  void process_element(const int&, Context&, Collector<int>&) override {}
  void close() override { trace_->push_back("x: close"); }

 private:
  Trace* trace_;
};

TEST_F(LifeCycle, AFailingOpenFailsTheStartAndClosesAllOfTheChain) {  // RF-02
  env.from_source<int>("in")
      .process<Tracing>("never opened", &trace)
      .uid("a")
      .process<FailsToOpen>(&trace)
      .uid("x")
      .sink_to<TracingSink>(&trace);
  const auto job = Job::start(env, {});
  ASSERT_FALSE(job);
  EXPECT_THAT(job.error().message(), HasSubstr("no such table"));
  EXPECT_THAT(take(),
              ElementsAre("sink: open", "sink: close", "x: close of x", "never opened: close"));
}

TEST_F(LifeCycle, AFailingInitializeStateDoesTheSame) {  // RF-02
  env.from_source<int>("in").process<FailsToInitialize>(&trace).uid("x").sink_to<TracingSink>(
      &trace);
  const auto job = Job::start(env, {});
  ASSERT_FALSE(job);
  EXPECT_THAT(job.error().message(), HasSubstr("no such list"));
  EXPECT_THAT(take(), ElementsAre("sink: open", "sink: close", "x: close"));
}

class Describes final : public ProcessFunction<int, std::string> {
 public:
  void process_element(const int&, Context&, Collector<std::string>& out) override {
    const TaskInfo& task = runtime_context().task();
    out.collect(task.uid + " " + task.name + " " + std::to_string(task.subtask) + "/" +
                std::to_string(task.parallelism) + " of " + std::to_string(task.max_parallelism) +
                ", attempt " + std::to_string(task.attempt));
  }
};

TEST_F(LifeCycle, TheContextKnowsItsPlace) {  // RF-08
  env.from_source<int>("in")
      .process<Describes>()
      .uid("u")
      .name("describes")
      .set_parallelism(2)
      .sink_to([this](const std::string& text) { trace.push_back(text); });
  const auto job = start({.attempt = 4});
  job->emit("in", 1);
  job->emit("in", 1);
  EXPECT_THAT(
      trace, ElementsAre("u describes 0/2 of 128, attempt 4", "u describes 1/2 of 128, attempt 4"));
}

}  // namespace
}  // namespace sluice
