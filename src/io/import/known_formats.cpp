// The tables of URDF, MJCF and SDF.
#include "io/import/formats.hpp"

namespace vinculum::robots {
namespace {

// URDF

constexpr Known urdf_known[] = {
    {.element = "robot",
     .attributes = "name",
     .idle = "version",
     .parts = "link joint loop_joint material gazebo transmission sensor",
     .reader_tells = true},
    {.element = "link",
     .attributes = "name",
     .idle = "type",
     .parts = "inertial visual collision contact sensor",
     .reader_tells = true},
    {.element = "inertial", .attributes = "", .idle = "", .parts = "origin mass inertia"},
    {.element = "origin", .attributes = "xyz rpy", .idle = "", .parts = "", .lost = "quat_xyzw"},
    {.element = "mass", .attributes = "value", .idle = "", .parts = ""},
    {.element = "inertia", .attributes = "ixx iyy izz ixy ixz iyz", .idle = "", .parts = ""},
    {.element = "joint",
     .attributes = "name type",
     .idle = "",
     .parts = "origin parent child axis dynamics limit mimic calibration safety_controller",
     .reader_tells = true},
    {.element = "parent", .attributes = "link", .idle = "", .parts = ""},
    {.element = "child", .attributes = "link", .idle = "", .parts = ""},
    {.element = "axis", .attributes = "xyz", .idle = "", .parts = ""},
    {.element = "dynamics",
     .attributes = "damping friction",
     .idle = "",
     .parts = "",
     .lost = "spring_stiffness spring_reference stiffness"},
    {.element = "limit",
     .attributes = "lower upper",
     .idle = "effort velocity acceleration deceleration jerk",
     .parts = ""},
    {.element = "mimic", .attributes = "joint multiplier offset", .idle = "", .parts = ""},
    {.element = "loop_joint",
     .attributes = "name type",
     .idle = "",
     .parts = "link1 link2 axis dynamics",
     .lost = "limit"},
    {.element = "link1", .attributes = "link xyz rpy", .idle = "", .parts = ""},
    {.element = "link2", .attributes = "link xyz rpy", .idle = "", .parts = ""},
};

// MJCF

constexpr std::string_view in_body =
    "body inertial joint freejoint geom site camera light frame composite flexcomp replicate attach plugin";
constexpr Known mjcf_known[] = {
    {.element = "mujoco",
     .attributes = "model",
     .idle = "",
     .parts = "compiler option size visual statistic default custom extension asset worldbody deformable "
              "contact equality tendon actuator sensor keyframe",
     .reader_tells = true},
    {.element = "mujocoinclude",
     .attributes = "model",
     .idle = "",
     .parts = "compiler option size visual statistic default custom extension asset worldbody deformable "
              "contact equality tendon actuator sensor keyframe",
     .reader_tells = true},
    {.element = "default",
     .attributes = "class",
     .idle = "",
     .parts = "default joint geom site connect weld mesh material camera light pair equality tendon general "
              "motor position velocity intvelocity damper cylinder muscle adhesion plugin"},
    {.element = "equality",
     .attributes = "",
     .idle = "solref solimp",
     .parts = "connect weld joint tendon flex flexvert flexstrain distance",
     .reader_tells = true},
    {.element = "worldbody",
     .attributes = "childclass",
     .idle = "name",
     .parts = in_body,
     .reader_tells = true},
    {.element = "body",
     .attributes = "name childclass mocap gravcomp pos quat axisangle xyaxes zaxis euler",
     .idle = "user sleep",
     .parts = in_body,
     .reader_tells = true},
    {.element = "frame",
     .attributes = "name childclass pos quat axisangle xyaxes zaxis euler",
     .idle = "",
     .parts = in_body,
     .reader_tells = true},
    {.element = "inertial",
     .attributes = "mass diaginertia fullinertia pos quat axisangle xyaxes zaxis euler",
     .idle = "",
     .parts = ""},
    {.element = "freejoint", .attributes = "name", .idle = "group align", .parts = ""},
    {.element = "joint",
     .attributes = "name class type pos axis limited range stiffness springref damping armature frictionloss "
                   "ref actuatorfrclimited actuatorfrcrange",
     .idle = "group margin solreflimit solimplimit solreffriction solimpfriction user",
     .parts = "",
     .lost = "springdamper actuatorgravcomp"},
    {.element = "equality/joint",
     .attributes = "name class active joint1 joint2 polycoef",
     .idle = "solref solimp",
     .parts = ""},
    {.element = "geom",
     .attributes = "name class type size fromto mass density shellinertia contype conaffinity group mesh "
                   "hfield pos quat axisangle xyaxes zaxis euler",
     .idle = "condim priority material rgba friction solmix solref solimp margin gap fitscale user",
     .parts = "plugin",
     .lost = "fluidshape fluidcoef"},
    {.element = "site",
     .attributes = "name class type size fromto pos quat axisangle xyaxes zaxis euler",
     .idle = "group material rgba user",
     .parts = ""},
    {.element = "connect",
     .attributes = "name class active body1 body2 anchor site1 site2",
     .idle = "solref solimp",
     .parts = ""},
    {.element = "weld",
     .attributes = "name class active body1 body2 anchor relpose site1 site2",
     .idle = "torquescale solref solimp",
     .parts = ""},
    {.element = "compiler",
     .attributes = "angle eulerseq coordinate inertiafromgeom inertiagrouprange autolimits balanceinertia "
                   "boundmass boundinertia settotalmass",
     .idle = "strippath fitaabb meshdir texturedir assetdir discardvisual usethread fusestatic saveinertial "
             "exactmeshinertia alignfree conflict convexhull",
     .parts = "lengthrange"},
    {.element = "option",
     .attributes = "gravity wind density viscosity",
     .idle = "timestep apirate impratio magnetic o_margin o_solref o_solimp o_friction integrator cone "
             "jacobian solver iterations tolerance ls_iterations ls_tolerance noslip_iterations "
             "noslip_tolerance ccd_iterations ccd_tolerance sdf_iterations sdf_initpoints "
             "actuatorgroupdisable mpr_iterations mpr_tolerance collision sleep_tolerance",
     .parts = "flag"},
    {.element = "flag",
     .attributes = "gravity constraint equality spring damper passive frictionloss",
     .idle = "limit contact clampctrl warmstart filterparent actuation refsafe sensor midphase eulerdamp "
             "autoreset nativeccd island override energy fwdinv invdiscrete multiccd sleep",
     .parts = ""},
};

constexpr std::string_view mjcf_truth = "true false";
constexpr Words mjcf_words[] = {
    {"compiler", "angle", "degree radian"},
    {"compiler", "coordinate", "local global"},
    {"compiler", "inertiafromgeom", "true false auto"},
    {"compiler", "autolimits", mjcf_truth},
    {"compiler", "balanceinertia", mjcf_truth},
    {"flag", "*", "enable disable"},
    {"body", "mocap", mjcf_truth},
    {"joint", "limited", "true false auto"},
    {"joint", "actuatorfrclimited", "true false auto"},
    {"equality/joint", "active", mjcf_truth},
    {"connect", "active", mjcf_truth},
    {"weld", "active", mjcf_truth},
    {"geom", "shellinertia", mjcf_truth},
};

// SDF

constexpr Known sdf_known[] = {
    {.element = "sdf", .attributes = "version", .idle = "", .parts = "world model", .reader_tells = true},
    {.element = "world",
     .attributes = "name",
     .idle = "",
     .parts = "model frame joint gravity physics scene light gui include plugin wind atmosphere "
              "magnetic_field audio spherical_coordinates population road state actor",
     .reader_tells = true},
    {.element = "model",
     .attributes = "name canonical_link placement_frame",
     .idle = "",
     .parts = "link joint frame model pose static self_collide allow_auto_disable include plugin gripper "
              "enable_wind",
     .reader_tells = true},
    {.element = "link",
     .attributes = "name",
     .idle = "",
     .parts = "inertial pose gravity visual collision self_collide enable_wind must_be_base_link kinematic "
              "sensor light projector audio_sink audio_source battery velocity_decay particle_emitter plugin",
     .reader_tells = true},
    {.element = "inertial",
     .attributes = "auto",
     .idle = "",
     .parts = "mass inertia pose",
     .lost = "density auto_inertia_params fluid_added_mass"},
    {.element = "inertia", .attributes = "", .idle = "", .parts = "ixx iyy izz ixy ixz iyz"},
    {.element = "frame", .attributes = "name attached_to", .idle = "", .parts = "pose"},
    {.element = "pose", .attributes = "relative_to frame rotation_format degrees", .idle = "", .parts = ""},
    {.element = "joint",
     .attributes = "name type",
     .idle = "",
     .parts = "parent child pose axis axis2 screw_thread_pitch gearbox_ratio gearbox_reference_body physics "
              "sensor plugin",
     .lost = "thread_pitch"},
    {.element = "axis",
     .attributes = "",
     .idle = "",
     .parts = "xyz dynamics limit mimic use_parent_model_frame",
     .lost = "initial_position"},
    {.element = "axis2",
     .attributes = "",
     .idle = "",
     .parts = "xyz dynamics limit use_parent_model_frame",
     .lost = "initial_position mimic"},
    {.element = "xyz", .attributes = "expressed_in", .idle = "", .parts = ""},
    {.element = "dynamics",
     .attributes = "",
     .idle = "",
     .parts = "damping friction spring_stiffness spring_reference"},
    {.element = "limit",
     .attributes = "",
     .idle = "",
     .parts = "lower upper effort velocity stiffness dissipation"},
    {.element = "mimic",
     .attributes = "joint",
     .idle = "",
     .parts = "multiplier offset reference",
     .lost = "axis"},
};

constexpr std::string_view sdf_truth = "true false 1 0";
constexpr Words sdf_words[] = {
    {"static", "", sdf_truth, true},       {"link/gravity", "", sdf_truth, true},
    {"inertial", "auto", sdf_truth, true}, {"use_parent_model_frame", "", sdf_truth, true},
    {"pose", "degrees", sdf_truth, true},  {"pose", "rotation_format", "euler_rpy quat_xyzw"},
};

}  // namespace

const Format urdf_format{urdf_known, {}};
const Format mjcf_format{mjcf_known, mjcf_words};
const Format sdf_format{sdf_known, sdf_words};

}  // namespace vinculum::robots
