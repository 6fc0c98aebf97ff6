// The format of model files as data: what the reader checks keys against, and what the schema is made from.
#pragma once
#include <span>
#include <string>
#include <string_view>

namespace vinculum {

/// What may stand behind a key.
enum class Form {
  text,
  expression,    ///< a number or an expression in quotes
  constant,      ///< the same, of parameters alone
  vector,        ///< "[a, b, c]", a vector expression, or an array of three expressions
  constants,     ///< the same, of parameters alone
  equation,      ///< "left = right"
  pair,          ///< an array of two vector expressions
  count,         ///< a whole number
  truth,         ///< true or false
  name,          ///< of something stated elsewhere
  names,         ///< an array of names
  joints,        ///< an array of names, or of joints that stand in tables
  word,          ///< one of `words`
  table,         ///< a table of the keys named
  any,           ///< scalar or vector
  inertia,       ///< a number, three, or three rows of three
  orientation,   ///< [w, x, y, z], { axis = .., angle = .. } and the like
  numbers,       ///< one number, or several in brackets
  truths,        ///< true or false, or several in brackets
  limits,        ///< two constants
  numbers_list,  ///< numbers in brackets, as many as one likes
  solid,         ///< { box = [a, b, c] } and the like
};

struct KeyFormat {
  std::string_view name;
  Form form = Form::text;
  std::string_view doc;
  bool needed = false;
  std::string_view words = {};  ///< choices of Form::word, with spaces between
};

/// A table of the file.
struct TableFormat {
  std::string_view name;
  std::string_view doc;
  /// Of tables whose keys are chosen by the user: what stands behind each.
  Form entry = Form::table;
  bool user_keys = false;
  /// Keys with a fixed meaning; where the user chooses the names: the keys of the long form of an entry.
  std::span<const KeyFormat> keys = {};
  bool short_form = true;        ///< an entry may be given without its table
  std::string_view either = {};  ///< two keys of which an entry has one, with a space between
};

std::span<const KeyFormat> top_keys();
std::span<const TableFormat> tables();
/// Of { axis = .., angle = .. } and its like, and of a shape.
std::span<const KeyFormat> orientation_keys();
std::span<const KeyFormat> solid_keys();
/// Of [ensemble] beside the names of what varies.
std::span<const KeyFormat> ensemble_keys();
const TableFormat& table_format(std::string_view name);
/// The parts of [view], each a table of names chosen by the user.
std::span<const TableFormat> view_tables();

}  // namespace vinculum
