// Results as one HDF5 file that explains itself.
#include "io/columns.hpp"
#include "io/hdf5_file.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/io/write_file.hpp"
#include "vinculum/report/json.hpp"

namespace vinculum {
namespace {

constexpr int format_version = 1;  // of the names and shapes in the file

void write_record(const hdf5::File& file, const Trajectory& motion, const RunRecord& record) {
  const hid_t root = file.root();
  hdf5::set(root, "title", record.title);
  hdf5::set(root, "description", record.description);
  hdf5::set(root, "model_path", record.path);
  hdf5::set(root, "model", record.text);
  hdf5::set(root, "version", record.version);
  hdf5::set(root, "format", format_version);
  hdf5::set(root, "status", std::string(status_word(motion.stop)));
  hdf5::set(root, "reason", motion.reason);
  hdf5::set(root, "names", motion.names);
  hdf5::set(root, "complete", is_complete(motion) ? 1 : 0);
  hdf5::set(root, "units", std::string("those of the model's numbers; time in seconds where these are SI"));
  const hdf5::Handle settings = hdf5::group(root, "settings");
  for (const auto& [name, value] : record.settings) {
    if (H5Aexists(settings, name.c_str()) > 0) H5Adelete(settings, name.c_str());  // the last one holds
    hdf5::set(settings, name.c_str(), value);
  }
}

/// One row for each instant, one column for each name.
void write_samples(const hdf5::File& file, const System& system, const Trajectory& motion) {
  const hid_t root = file.root();
  const hdf5::Handle time = hdf5::write(root, "time", motion.times());
  hdf5::set(time, "units", std::string("s"));
  hdf5::set(time, "names", std::vector<std::string>{"t"});
  for (const Quantity& quantity : quantities(system)) {
    const hdf5::Handle set = hdf5::write_rows(
        root, quantity.name.c_str(), static_cast<std::size_t>(motion.size()), quantity.names.size(),
        [&](int i, std::vector<double>& row) { quantity.append(motion[i], row); });
    hdf5::set(set, "names", quantity.names);
    hdf5::set(set, "axis", std::vector<std::string>{"time", quantity.axis});
  }
  std::vector<int> rank;
  for (int i = 0; i < motion.size(); ++i) rank.push_back(motion[i].rank);
  const hdf5::Handle set = hdf5::write(root, "rank", rank);
  hdf5::set(set, "names", std::vector<std::string>{"rank"});
  hdf5::set(set, "axis", std::vector<std::string>{"time"});
  hdf5::set(set, "unknown", -1);  // where the rank was not looked at
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
  hdf5::set(hdf5::write(events, "times", times), "units", std::string("s"));
}

void write_contact_changes(const hdf5::File& file, const Trajectory& motion) {
  const hdf5::Handle changes = hdf5::group(file.root(), "contact_changes");
  std::vector<double> times;
  std::vector<int> sticks;
  std::vector<std::string> constraints;
  for (const ContactChange& change : motion.contact_changes) {
    times.push_back(change.time);
    sticks.push_back(change.sticks ? 1 : 0);
    constraints.push_back(change.constraint);
  }
  hdf5::set(hdf5::write(changes, "times", times), "units", std::string("s"));
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
  hdf5::set(hdf5::write(changes, "times", times), "units", std::string("s"));
  hdf5::write(changes, "before", before);
  hdf5::write(changes, "at", at);
  hdf5::write(changes, "after", after);
  hdf5::write(changes, "constraints", constraints);
}

std::string laid_out(const System& system, const Trajectory& motion, const RunRecord& record) {
  const hdf5::Quiet quiet;
  const hdf5::File file;
  write_record(file, motion, record);
  write_samples(file, system, motion);
  write_events(file, motion);
  if (!motion.contact_changes.empty()) write_contact_changes(file, motion);
  write_rank_changes(file, motion);
  hdf5::write(file.root(), "notes", motion.notes);
  return file.bytes();
}

}  // namespace

void write_hdf5(const std::string& path, const System& system, const Trajectory& motion,
                const RunRecord& record) {
  std::string bytes;
  try {
    bytes = laid_out(system, motion, record);
  } catch (const Error& e) {
    fail("cannot write '" + path + "': " + e.text());
  }
  write_file(path, bytes);
}

}  // namespace vinculum
