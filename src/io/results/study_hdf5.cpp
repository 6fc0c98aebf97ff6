// Members of a study in HDF5.
#include <algorithm>
#include <optional>

#include "io/results/hdf5_file.hpp"
#include "io/results/portion.hpp"
#include "io/results/study_files.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/ensemble/kept.hpp"
#include "vinculum/report/study.hpp"

namespace vinculum {
namespace {

constexpr int format_version = 1;         // of the names and shapes in the file
constexpr std::size_t portion = 1 << 17;  // numbers that are read and written at once

/// Of a row: member, varied.., kept.., status.
std::vector<std::string> columns_of(const StudyRecord& record) {
  std::vector<std::string> names{"member"};
  names.insert(names.end(), record.varied.begin(), record.varied.end());
  names.insert(names.end(), record.kept.begin(), record.kept.end());
  names.emplace_back("status");
  return names;
}

/// Data sets of what is kept: numbers of members, and behind them trajectories (/kept/x.samples).
struct KeptSet {
  std::string name;
  std::vector<std::size_t> places;  ///< among what is kept
  std::vector<double> instants;     ///< none: a number
};

std::vector<KeptSet> kept_sets(const std::vector<std::string>& kept) {
  std::vector<KeptSet> sets;
  for (std::size_t k = 0; k < kept.size(); ++k)
    if (!at_instant(kept[k])) sets.push_back({kept[k], {k}, {}});
  for (KeptTrajectory& one : kept_trajectories(kept))
    sets.push_back({one.name + ".samples", std::move(one.places), std::move(one.instants)});
  return sets;
}

double code_of(const MemberEnd& end) {
  return static_cast<double>(std::ranges::find(member_ends(), end) - member_ends().begin());
}

MemberEnd end_of(double code) {
  const auto place = static_cast<std::size_t>(code);
  return code >= 0 && place < member_ends().size() ? member_ends()[place] : no_model;
}

class StudyHdf5 final : public StudyFile {
 public:
  StudyHdf5(const std::string& path, const StudyRecord& record, bool resume)
      : path_(path), record_(record), bytes_(path, AtomicFile::Lasting{resume}) {
    const hdf5::Quiet quiet;
    try {
      rows_ = std::make_unique<hdf5::GrowingFile>(bytes_, columns_of(record), record.identity);
    } catch (const Error& e) {
      if (!resume) {
        bytes_.discard();
        throw;
      }
      refuse_to_go_on(path, e.text());
    }
    each_part([&](std::size_t, std::size_t count, const std::vector<double>& numbers) {
      for (std::size_t i = 0; i < count; ++i) note_member(numbers[i * width()]);
    });
  }

  const Members& there() const override { return there_; }

  void recall(const RowSink& sink) override {
    std::vector<MemberRow> rows;
    each_part([&](std::size_t, std::size_t count, const std::vector<double>& numbers) {
      rows.clear();
      for (std::size_t i = 0; i < count; ++i) rows.push_back(row_of(&numbers[i * width()]));
      sink(rows);
    });
  }

  void append(std::span<const MemberRow> rows) override {
    for (const MemberRow& row : rows) {
      waiting_.push_back(static_cast<double>(row.member));
      waiting_.insert(waiting_.end(), row.varied.begin(), row.varied.end());
      waiting_.insert(waiting_.end(), row.kept.begin(), row.kept.end());
      waiting_.push_back(code_of(row.end));
    }
    if (portion_.is_due(waiting_.size() * sizeof(double))) flush();
  }

  void flush() override {
    rows_->append({reinterpret_cast<const char*>(waiting_.data()), waiting_.size() * sizeof(double)});
    waiting_.clear();
  }

  void finish(const std::string& summary) override {
    flush();
    AtomicFile whole(path_);
    hdf5::told_by_path(path_, [&] {
      hdf5::File file(whole);
      write_record(file, summary);
      write_columns(file);
      file.close();
    });
    whole.keep();
    rows_.reset();
    bytes_.discard();
  }

 private:
  void note_member(double number) {
    const auto member = static_cast<long>(number);
    if (!(number >= 0 && number < static_cast<double>(record_.count)) || !there_.add({member, member + 1}))
      refuse_to_go_on(path_, "a member stands in it that is none, or one twice");
  }
  std::size_t width() const { return record_.varied.size() + record_.kept.size() + 2; }

  template <class Take>
  void each_part(Take take) const {
    const std::size_t at_once = std::max<std::size_t>(1, portion / width());
    std::vector<double> numbers;
    for (std::size_t first = 0; first < rows_->rows(); first += at_once) {
      const std::size_t count = std::min(at_once, rows_->rows() - first);
      rows_->read(first, count, numbers);
      take(first, count, numbers);
    }
  }

  MemberRow row_of(const double* numbers) const {
    const std::size_t varied = record_.varied.size(), kept = record_.kept.size();
    MemberRow row;
    row.member = static_cast<long>(numbers[0]);
    row.varied.assign(numbers + 1, numbers + 1 + varied);
    row.kept.assign(numbers + 1 + varied, numbers + 1 + varied + kept);
    row.end = end_of(numbers[1 + varied + kept]);
    return row;
  }

  void write_record(const hdf5::File& file, const std::string& summary) const {
    const hid_t root = file.root();
    hdf5::set_origin(file, record_.run);
    hdf5::set(root, "format", format_version);
    hdf5::set(root, "complete", 1);
    hdf5::set(root, "summary", summary);
    hdf5::set(root, "identity", mark_of(record_));
    hdf5::set(root, "names", columns_of(record_));
    hdf5::write_settings(file, record_.run);
  }

  /// Of the rows, column by column, and where they go.
  struct Target {
    hdf5::Handle set;
    std::vector<std::size_t> columns;
    bool is_matrix = false;
    std::optional<std::size_t> width() const {
      return is_matrix ? std::optional(columns.size()) : std::nullopt;
    }
  };

  std::vector<Target> make_sets(const hdf5::File& file) const {
    const std::size_t rows = rows_->rows(), varied = record_.varied.size();
    std::vector<Target> targets;
    const hdf5::Handle of_varied = hdf5::group(file.root(), "varied");
    hdf5::set(of_varied, "names", record_.varied);
    for (std::size_t k = 0; k < varied; ++k)
      targets.push_back(
          {hdf5::make_rows(of_varied, record_.varied[k].c_str(), H5T_NATIVE_DOUBLE, rows, {}), {1 + k}});
    const hdf5::Handle of_kept = hdf5::group(file.root(), "kept");
    std::vector<std::string> names;
    for (const KeptSet& one : kept_sets(record_.kept)) {
      names.push_back(one.name);
      std::vector<std::size_t> columns;
      for (const std::size_t k : one.places) columns.push_back(1 + varied + k);
      const bool is_matrix = !one.instants.empty();
      const auto width = is_matrix ? std::optional(columns.size()) : std::nullopt;
      targets.push_back(
          {hdf5::make_rows(of_kept, one.name.c_str(), H5T_NATIVE_DOUBLE, rows, width), columns, is_matrix});
      if (is_matrix) hdf5::set(targets.back().set, "instants", one.instants);
    }
    hdf5::set(of_kept, "names", names);
    targets.push_back({hdf5::make_rows(file.root(), "status", H5T_NATIVE_INT, rows, {}),
                       {1 + varied + record_.kept.size()}});
    std::vector<std::string> words;
    for (const MemberEnd& end : member_ends()) words.emplace_back(member_status(end));
    hdf5::set(targets.back().set, "names", words);
    return targets;
  }

  void write_columns(const hdf5::File& file) const {
    const std::vector<Target> targets = make_sets(file);
    std::vector<double> numbers_of_set;
    each_run([&](long first, const double* numbers, std::size_t count) {
      for (const Target& target : targets) {
        numbers_of_set.clear();
        for (std::size_t i = 0; i < count; ++i)
          for (const std::size_t column : target.columns)
            numbers_of_set.push_back(numbers[i * width() + column]);
        hdf5::fill_rows(target.set, static_cast<std::size_t>(first), count, target.width(), numbers_of_set);
      }
    });
  }

  /// Rows of members that follow each other.
  template <class Take>
  void each_run(Take take) const {
    each_part([&](std::size_t, std::size_t count, const std::vector<double>& numbers) {
      const auto member = [&](std::size_t i) { return static_cast<long>(numbers[i * width()]); };
      for (std::size_t i = 0, next; i < count; i = next) {
        for (next = i + 1; next < count && member(next) == member(next - 1) + 1;) ++next;
        take(member(i), &numbers[i * width()], next - i);
      }
    });
  }

  std::string path_;
  StudyRecord record_;
  AtomicFile bytes_;
  std::unique_ptr<hdf5::GrowingFile> rows_;
  Members there_;
  std::vector<double> waiting_;
  Portion portion_;
};

std::string text_at(hid_t object, const char* name) {
  const hdf5::Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose, "find what a study says");
  const hdf5::Handle type(H5Aget_type(attribute), H5Tclose, "read what a study says");
  char* text = nullptr;
  if (H5Tis_variable_str(type) <= 0 || H5Aread(attribute, type, static_cast<void*>(&text)) < 0 ||
      text == nullptr)
    fail("it is not the file of a study");
  std::string out = text;
  H5free_memory(text);
  return out;
}

herr_t add_name(hid_t, const char* name, const H5A_info_t*, void* out) {
  static_cast<std::vector<std::string>*>(out)->emplace_back(name);
  return 0;
}
herr_t add_link(hid_t, const char* name, const H5L_info_t*, void* out) {
  static_cast<std::vector<std::string>*>(out)->emplace_back(name);
  return 0;
}

/// Some members' numbers of a list, or of a matrix with so many columns.
std::vector<double> numbers_at(hid_t group, const std::string& name, hsize_t first, hsize_t count,
                               hsize_t columns = 1) {
  const hdf5::Handle set(H5Dopen2(group, name.c_str(), H5P_DEFAULT), H5Dclose, "find its members");
  const hdf5::Handle all(H5Dget_space(set), H5Sclose, "tell a size");
  const auto members = static_cast<hsize_t>(H5Sget_simple_extent_npoints(all)) / columns;
  if (first + count > members)
    fail("it has members 0 to " + std::to_string(members - 1) + ", and no " +
         std::to_string(first + count - 1));
  const int rank = H5Sget_simple_extent_ndims(all);
  const hsize_t from[] = {first, 0}, size[] = {count, columns};
  const hdf5::Handle part(H5Screate_simple(rank, size, nullptr), H5Sclose, "describe a size");
  std::vector<double> values(count * columns);
  if (rank > 2 || H5Sselect_hyperslab(all, H5S_SELECT_SET, from, nullptr, size, nullptr) < 0 ||
      H5Dread(set, H5T_NATIVE_DOUBLE, part, all, H5P_DEFAULT, values.data()) < 0)
    fail("its numbers cannot be read");
  return values;
}

hdf5::Handle opened(const std::string& path) {
  return {H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, "open it"};
}

/// Some members of a file that is complete.
std::vector<MemberRow> rows_at(hid_t file, const StudyRecord& record, long first, long count) {
  std::vector<MemberRow> rows(static_cast<std::size_t>(count));
  for (long k = 0; k < count; ++k) rows[k].member = first + k;
  const auto first_row = static_cast<hsize_t>(first), row_count = static_cast<hsize_t>(count);
  const hdf5::Handle varied(H5Gopen2(file, "varied", H5P_DEFAULT), H5Gclose, "find its members");
  for (const std::string& name : record.varied) {
    const std::vector<double> column = numbers_at(varied, name, first_row, row_count);
    for (long k = 0; k < count; ++k) rows[k].varied.push_back(column[k]);
  }
  const hdf5::Handle kept(H5Gopen2(file, "kept", H5P_DEFAULT), H5Gclose, "find its members");
  for (MemberRow& row : rows) row.kept.resize(record.kept.size());
  for (const KeptSet& one : kept_sets(record.kept)) {
    const std::size_t width = one.places.size();
    const std::vector<double> numbers = numbers_at(kept, one.name, first_row, row_count, width);
    for (std::size_t i = 0; i < numbers.size(); ++i) rows[i / width].kept[one.places[i % width]] = numbers[i];
  }
  const std::vector<double> codes = numbers_at(file, "status", first_row, row_count);
  for (long k = 0; k < count; ++k) rows[k].end = end_of(codes[k]);
  return rows;
}

}  // namespace

std::unique_ptr<StudyFile> open_study_hdf5(const std::string& path, const StudyRecord& record, bool resume) {
  return std::make_unique<StudyHdf5>(path, record, resume);
}

void recall_hdf5(const std::string& path, const StudyRecord& record, const RowSink& sink) {
  const hdf5::Quiet quiet;
  std::string mark;
  try {
    mark = text_at(opened(path), "identity");
  } catch (const Error&) {  // it is something else
  }
  if (mark != mark_of(record))
    fail("'" + path +
         "' is there, and is not this study: remove it, or leave out --resume to compute it again");
  const hdf5::Handle file = opened(path);
  constexpr long at_once = 4096;
  for (long first = 0; first < record.count; first += at_once)
    sink(rows_at(file, record, first, std::min(at_once, record.count - first)));
}

MemberOfFile read_member_hdf5(const std::string& path, long member) {
  const hdf5::Quiet quiet;
  const hdf5::Handle file = opened(path);
  MemberOfFile found;
  found.model = text_at(file, "model");
  found.model_path = text_at(file, "model_path");
  std::vector<std::string> names;
  const hdf5::Handle settings(H5Gopen2(file, "settings", H5P_DEFAULT), H5Gclose, "find its settings");
  H5Aiterate2(settings, H5_INDEX_NAME, H5_ITER_INC, nullptr, add_name, &names);
  for (const std::string& name : names) found.settings.emplace_back(name, text_at(settings, name.c_str()));
  names.clear();
  const hdf5::Handle varied(H5Gopen2(file, "varied", H5P_DEFAULT), H5Gclose, "find what varied");
  H5Literate(varied, H5_INDEX_NAME, H5_ITER_INC, nullptr, add_link, &names);
  for (const std::string& name : names)
    found.varied.emplace_back(name, numbers_at(varied, name, static_cast<hsize_t>(member), 1).front());
  return found;
}

}  // namespace vinculum
