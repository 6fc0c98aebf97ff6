// Results as one HDF5 file that explains itself.
#include <algorithm>
#include <optional>

#include "io/results/columns.hpp"
#include "io/results/hdf5_file.hpp"
#include "io/results/portion.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/io/result_stream.hpp"
#include "vinculum/io/write_file.hpp"
#include "vinculum/report/json.hpp"

namespace vinculum {
namespace {

constexpr int format_version = 1;  // of the names and shapes in the file

void write_record(const hdf5::File& file, const Trajectory& motion, const RunRecord& record) {
  const hid_t root = file.root();
  hdf5::set_origin(file, record);
  hdf5::set(root, "format", format_version);
  hdf5::set(root, "status", std::string(status_word(motion.stop)));
  hdf5::set(root, "reason", motion.reason);
  hdf5::set(root, "names", motion.names);
  hdf5::set(root, "complete", is_complete(motion) ? 1 : 0);
  hdf5::set(root, "units",
            std::string(record.units.told.empty()
                            ? "those of the model's numbers, which do not say them"
                            : "at the data sets, as the model tells them; the others do not say theirs"));
  hdf5::write_settings(file, record);
}

constexpr std::size_t portion = 1 << 17;  // numbers that are read and written at once

/// A data set that is filled from some of the columns of all instants.
struct Target {
  hdf5::Handle set;
  std::optional<std::size_t> columns;  // none: a list
  std::size_t first;                   // in the row of an instant
};

/// Of what has a unit of its own: forces on x are not in the unit of x.
void set_units(hid_t set, const Quantity& q, const Units& units) {
  std::vector<std::string> list;
  for (const std::string& name : q.names)
    list.push_back(q.name == "energy" ? units.of("energy") : units.of(name));
  const bool own = q.name == "q" || q.name == "v" || q.name == "outputs" || q.name == "energy";
  if (own && std::ranges::any_of(list, [](const std::string& unit) { return !unit.empty(); }))
    hdf5::set(set, "units", list);
}

/// One row for each instant, one column for each name.
void write_samples(const hdf5::File& file, const std::vector<Quantity>& quantities, const Units& units,
                   const hdf5::GrowingFile& recorded) {
  const hid_t root = file.root();
  const std::size_t rows = recorded.rows();
  std::vector<Target> targets;
  targets.push_back({hdf5::make_rows(root, "time", H5T_NATIVE_DOUBLE, rows, {}), {}, 0});
  hdf5::set(targets.back().set, "names", std::vector<std::string>{"t"});
  if (const std::string unit = units.of("t"); !unit.empty())
    hdf5::set(targets.back().set, "units", std::vector<std::string>{unit});
  std::size_t width = 1;
  for (const Quantity& q : quantities) {
    const std::size_t columns = q.names.size();
    targets.push_back(
        {hdf5::make_rows(root, q.name.c_str(), H5T_NATIVE_DOUBLE, rows, columns), columns, width});
    hdf5::set(targets.back().set, "names", q.names);
    set_units(targets.back().set, q, units);
    hdf5::set(targets.back().set, "axis", std::vector<std::string>{"time", q.axis});
    width += columns;
  }
  targets.push_back({hdf5::make_rows(root, "rank", H5T_NATIVE_INT, rows, {}), {}, width++});
  hdf5::set(targets.back().set, "names", std::vector<std::string>{"rank"});
  hdf5::set(targets.back().set, "axis", std::vector<std::string>{"time"});
  hdf5::set(targets.back().set, "unknown", -1);  // where the rank was not looked at
  std::vector<double> numbers, part;
  const std::size_t at_once = std::max<std::size_t>(1, portion / width);
  for (std::size_t first = 0; first < rows; first += at_once) {
    const std::size_t count = std::min(at_once, rows - first);
    recorded.read(first, count, numbers);
    for (const Target& target : targets) {
      part.clear();
      for (std::size_t i = 0; i < count; ++i) {
        const auto from = numbers.begin() + static_cast<std::ptrdiff_t>(i * width + target.first);
        part.insert(part.end(), from, from + static_cast<std::ptrdiff_t>(target.columns.value_or(1)));
      }
      hdf5::fill_rows(target.set, first, count, target.columns, part);
    }
  }
}

void write_events(const hdf5::File& file, const Trajectory& motion) {
  const hdf5::Handle events = hdf5::group(file.root(), "events");
  std::vector<std::string> names;
  std::vector<double> times;
  for (const EventRecord& e : motion.events) {
    names.push_back(e.name);
    times.push_back(e.time);
  }
  hdf5::write(events, "names", names);
  hdf5::write(events, "times", times);
}

void write_contact_changes(const hdf5::File& file, const Trajectory& motion) {
  const hdf5::Handle changes = hdf5::group(file.root(), "grip_changes");
  std::vector<double> times;
  std::vector<int> sticks;
  std::vector<std::string> constraints;
  for (const GripChange& change : motion.grip_changes) {
    times.push_back(change.time);
    sticks.push_back(change.sticks ? 1 : 0);
    constraints.push_back(change.constraint);
  }
  hdf5::write(changes, "times", times);
  hdf5::write(changes, "sticks", sticks);
  hdf5::write(changes, "constraints", constraints);
}

void write_rank_changes(const hdf5::File& file, const Trajectory& motion) {
  const hdf5::Handle changes = hdf5::group(file.root(), "rank_changes");
  std::vector<double> times;
  std::vector<int> before, at, after;
  std::vector<std::string> constraints;
  for (const RankChange& change : motion.rank_changes) {
    times.push_back(change.time);
    before.push_back(change.before);
    at.push_back(change.at);
    after.push_back(change.after);
    constraints.push_back(list_text(change.constraints, change.constraints.size()));
  }
  hdf5::write(changes, "times", times);
  hdf5::write(changes, "before", before);
  hdf5::write(changes, "at", at);
  hdf5::write(changes, "after", after);
  hdf5::write(changes, "constraints", constraints);
}

class Hdf5Stream final : public ResultStream {
 public:
  Hdf5Stream(const std::string& path, const System& system, const RunRecord& record)
      : path_(path), record_(record), quantities_(quantities(system)), bytes_(path) {}

  void append(const Sample& sample) override {
    rows_.push_back(sample.t);
    for (const Quantity& q : quantities_) q.append(sample, rows_);
    rows_.push_back(sample.rank);
    if (portion_.is_due(rows_.size() * sizeof(double))) flush();
  }

  void finish(const Trajectory& motion, std::string_view) override {
    flush();
    AtomicFile bytes(path_);
    hdf5::told_by_path(path_, [&] {
      hdf5::File file(bytes);
      write_record(file, motion, record_);
      write_samples(file, quantities_, record_.units, *recorded_);
      write_events(file, motion);
      if (!motion.grip_changes.empty()) write_contact_changes(file, motion);
      write_rank_changes(file, motion);
      hdf5::write(file.root(), "notes", motion.notes);
      file.close();
    });
    bytes.keep();
  }

  std::string leave() override {
    try {
      flush();
    } catch (const Error&) {  // what does not fit is lost; the rest is there
    }
    return recorded_ && recorded_->rows() > 0 ? bytes_.leave() : "";
  }

 private:
  void flush() {
    if (!recorded_)
      hdf5::told_by_path(path_, [&] { recorded_.emplace(bytes_, column_names(quantities_), record_.text); });
    const std::vector<double> rows = std::exchange(rows_, {});
    recorded_->append({reinterpret_cast<const char*>(rows.data()), rows.size() * sizeof(double)});
  }

  std::string path_;
  RunRecord record_;
  std::vector<Quantity> quantities_;
  AtomicFile bytes_;
  std::optional<hdf5::GrowingFile> recorded_;
  std::vector<double> rows_;
  Portion portion_;
};

}  // namespace

std::unique_ptr<ResultStream> stream_hdf5(const std::string& path, const System& system,
                                          const RunRecord& record) {
  return std::make_unique<Hdf5Stream>(path, system, record);
}

bool has_hdf5() { return true; }

void write_hdf5(const std::string& path, const System& system, const Trajectory& motion,
                const RunRecord& record) {
  Hdf5Stream file(path, system, record);
  for (int i = 0; i < motion.size(); ++i) file.append(motion[i]);
  file.finish(motion, "");
}

}  // namespace vinculum
