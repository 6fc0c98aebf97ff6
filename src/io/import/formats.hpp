// One function for each format: the tree of a file in, a robot out. What is wrong goes to the faults, and the
// reading goes on, so that all of it is told at once.
#pragma once
#include "io/import/known.hpp"
#include "io/import/robot.hpp"
#include "io/import/xml.hpp"

namespace vinculum::robots {

Robot read_urdf(const Element& root, const ImportOptions& options, std::vector<Fault>& faults);
Robot read_mjcf(const Element& root, const ImportOptions& options, std::vector<Fault>& faults);
Robot read_sdf(const Element& root, std::vector<Fault>& faults);

/// Put in place of the <include> elements of an MJCF file what stands in the files they name: only files of
/// the folder of `path`, and those within.
bool expand_includes(Element& root, const std::string& path, const ImportOptions& options,
                     std::vector<Fault>& faults);

/// What each of them knows.
extern const Format urdf_format, mjcf_format, sdf_format;

inline Vector3d vector_of(const std::vector<double>& v) { return {v[0], v[1], v[2]}; }
/// ixx, iyy, izz, ixy, ixz, iyz.
inline Matrix3d symmetric(const std::vector<double>& i) {
  Matrix3d m;
  m << i[0], i[3], i[4], i[3], i[1], i[5], i[4], i[5], i[2];
  return m;
}

}  // namespace vinculum::robots
