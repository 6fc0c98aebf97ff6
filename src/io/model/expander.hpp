// How a document is written out in full: first every name is declared, then everything is emitted.
#pragma once
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "io/model/expand.hpp"
#include "io/model/format.hpp"
#include "vinculum/base/name_map.hpp"
#include "vinculum/expr/graph.hpp"

namespace vinculum {

/// What a name is the name of; several where it is in several sets of names.
enum Meaning : unsigned {
  of_value = 1,  // parameters, definitions, coordinates, particles, bodies
  of_part = 2,
  of_joint = 4,
  of_constraint = 8,
  of_result = 16,  // outputs and events
  of_point = 32,   // of the view
};

struct Index {
  std::string name;
  long value = 0;
};
using Indices = std::vector<Index>;

/// One entry of a table, or a key at the top, in the order of the text.
struct Item {
  std::string table;  // "bodies", "view.points"; "" for a key at the top
  const Entry* of = nullptr;
  const Entry* entry = nullptr;
};

struct Component {
  const Entry* entry = nullptr;
  std::vector<Item> items;
};

/// The inside of a part, or of the whole model: its own names come before those outside.
struct Inside {
  const Inside* outer = nullptr;
  std::string prefix;  // "leg1."; "" of the model
  std::string name;    // "leg1"
  std::size_t use = 0;
  const std::vector<Item>* items = nullptr;
  NameMap<unsigned> own;
  NameMap<std::string> stands_for;  // names of things outside, as known there
  struct Stated {
    const Entry* entry = nullptr;
    const Inside* in = nullptr;  // whose names its text means
    Indices indices;
  };
  NameMap<Stated> parameters;
  std::set<std::string> vectors;  // of these
  struct Elements {
    std::string first, last;
  };
  std::map<std::string, Elements> repeated;
  NameMap<std::unique_ptr<Inside>> parts;
};

class Expander {
 public:
  Expander(Source& source, const Overrides& overrides, const IncludeFiles& files, std::vector<Fault>& faults)
      : source_(source), files_(files), faults_(faults), graph_(GraphRef::create()) {
    for (const auto& [name, text] : overrides) overrides_.insert_or_assign(name, text);
  }
  Expansion run(const Entry& root);

 private:
  struct TooLarge {};
  /// Which names a text may hold besides values.
  struct Mode {
    bool rows = false;     // names of joints and constraints alone
    bool view = false;     // points of the view, too
    bool results = false;  // outputs, too
    bool any = false;
  };

  // --- expand_files.cpp: which files belong to the model.
  void gather(const Entry& root, int file, std::vector<Item>& items);
  void include(const Entry& entry, std::vector<Item>& items);
  void include_file(const Entry& name, std::vector<Item>& items);
  void add_components(const Entry& table);
  std::vector<Item> items_of_component(const Entry& component);

  // --- expand_declare.cpp: which names there are.
  void declare(Inside& inside);
  void declare_item(Inside& inside, const Item& item);
  void declare_part(Inside& inside, const Entry& entry);
  void take_parameters(Inside& part, const Inside& outer, const Entry& entry, const Component& component);
  void take_names(Inside& part, const Inside& outer, const Entry& entry, const Entry& names);
  const Component* component_of(const Entry& part, const std::string& what);

  // --- expand.cpp: everything in full.
  void emit(const Inside& inside);
  void emit_item(const Inside& inside, const Item& item);
  void emit_part(const Inside& inside, const Item& item);
  void emit_parameters(const Inside& part);
  void emit_entry(const Inside& inside, const Item& item, const TableFormat& format);
  void emit_forces(const Item& item, const Entry& entry, const std::string& path);
  std::string emitted_key(const Inside& inside, const Item& item);
  std::string renamed_key(const Entry& entry, const std::string& key, const std::string& table);
  Entry emitted_value(const Entry& entry, const TableFormat& format, const std::string& table);
  void add(const std::string& table, const Entry* of, Entry entry);
  void add_up(Entry& sum, const Entry& more, bool is_sum);
  Entry copied(const Entry& entry, Form form, Mode mode);
  Entry finished(const Entry& root);
  Entry shell(const Entry& entry);

  // --- expand_loops.cpp: repetition.
  template <class Each>
  void for_each(const Entry& entry, const Inside& inside, const Each& each);
  struct Clause {
    std::string index;
    std::size_t from = 0, from_end = 0, to = 0, to_end = 0;  // places in the text
  };
  bool read_loop(const Entry& loop, std::vector<Clause>& clauses);
  void turn(const Entry& loop, const std::vector<Clause>& clauses, std::size_t k,
            const std::function<void()>& each);
  std::string element_key(const Entry& entry);
  bool whole_number(std::string_view text, std::size_t at, const std::string& what, long& out);
  bool value_of(std::string_view text, const std::string& what, double& out);
  double parameter(const std::string& name, const Place& place);

  // --- expand_names.cpp: names in texts.
  struct Renamed {
    std::string text;
    struct Piece {
      std::size_t end;   // in the new text, where the next one begins
      std::size_t from;  // where it stood in the text before
      bool copied;       // byte by byte; else all of it stands for what began there
    };
    std::vector<Piece> pieces;
    bool changed = false;
  };
  struct Segment {
    std::size_t begin = 0, end = 0;   // of the name
    std::size_t open = 0, close = 0;  // of what stands in its brackets; 0: none
    std::size_t primes = 0;           // behind it
  };
  Renamed renamed(std::string_view text, Mode mode);
  std::size_t read_path(std::string_view text, std::size_t at, std::vector<Segment>& path) const;
  std::string resolved(std::string_view text, const std::vector<Segment>& path, bool rows, Mode mode);
  bool elements(std::string_view text, const Segment& segment, std::string& out);
  std::string rest_of(std::string_view text, const std::vector<Segment>& path, const Inside* part, bool rows);
  Entry renamed_entry(const Entry& entry, Mode mode);

  void note(std::size_t at, std::string text, bool missing = true);  ///< something is not there for it
  void note_in_text(std::size_t k, std::string text);                ///< a place in the text being renamed
  void spend(std::size_t entries, std::size_t bytes = 0);
  void spend_turn();  ///< what makes no entry takes its time, too

  Source& source_;
  const IncludeFiles& files_;
  std::vector<Fault>& faults_;
  GraphRef graph_;
  std::unordered_map<std::string, std::string> overrides_;
  std::deque<Entry> documents_;
  std::vector<std::string> including_;  // the files that are being read: a circle shows here
  std::set<std::string> included_;
  std::map<std::string, Component> components_;
  std::vector<std::string> using_;  // the components that are being used

  const Inside* inside_ = nullptr;  // where texts are read now
  Indices indices_;
  std::size_t use_ = 0;
  const Entry* text_ = nullptr;  // the text being read; its key where `in_key_`
  bool in_key_ = false;
  std::set<std::pair<std::size_t, std::string>> noted_;
  std::vector<std::string> reading_;  // parameters whose values are asked for
  std::string counted_;               // what is being counted
  std::map<std::string, std::string> counting_;

  std::map<std::string, Entry> tables_;  // "" holds the keys at the top
  std::vector<std::string> order_;       // of the tables
  struct Added {
    std::size_t at = 0;
    bool is_sum = false;
  };
  std::map<std::string, NameMap<Added>> added_;
  bool complete_ = true;
  std::size_t turns_ = 0, entries_ = 0, bytes_ = 0;
  std::size_t last_at_ = 0;  // where the limit was reached
};

}  // namespace vinculum
