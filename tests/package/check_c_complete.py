#!/usr/bin/env python3
"""Everything that C++ offers while a program runs is in the C header: each function of these headers has a counterpart
there, or a reason why it needs none.

    check_c_complete.py SOURCE
"""
import pathlib
import re
import sys

include = pathlib.Path(sys.argv[1]) / "include/fascia"
run_time = ["method", "live", "handles", "make_character", "vertex_buffers", "workspace", "bundled", "pose", "fields",
            "settings", "character", "weights", "io", "world"]

tool = "a tool, not used while a program runs"
inside = "a part of other calls"
counterparts = {
    # method.h
    "allocate_array": inside, "free_array": inside, "hash": "fascia_hash", "explain": "fascia_last_error",
    "layer_counts": "fascia_point_layers", "mask_from_colors": "fascia_bind_with", "bind": "fascia_bind_with",
    "make_state": "fascia_instance_new", "reset": "fascia_reset", "settle": "fascia_settle",
    "reset_settled": "fascia_reset_settled", "advance": "fascia_advance", "embed": "fascia_embed",
    "embed_skinned": "fascia_embed_skinned", "reset_from": "fascia_reset_from", "advance_many": "fascia_advance_many",
    "attach": "fascia_attach", "save_rig": "fascia_rig_save", "load_rig": "fascia_rig_load",
    "save_state": "fascia_instance_save", "load_state": "fascia_instance_restore",
    # live.h, handles.h
    "retune": "fascia_retune", "fade": "fascia_fade", "solo": "fascia_solo", "pick": "fascia_pick",
    "pull": "fascia_pull", "move_pull": "fascia_pull_to", "release": "fascia_release", "is_held": "fascia_is_held",
    "enable_handles": "fascia_enable_handles", "is_enabled": "fascia_is_handle_enabled",
    "turn_handles": "fascia_turn_handles", "handle_pose": "fascia_handle_pose",
    # make_character.h, vertex_buffers.h, workspace.h
    "make_character": "fascia_character_make", "check_character": "fascia_character_make",
    "embed_into": "fascia_embed_into", "vector_level": "fascia_vector_level",
    # bundled.h, pose.h
    "bundled_names": "fascia_bundled_character", "bundled_character": "fascia_character_load",
    "bundled_motion_names": "fascia_bundled_motion", "bundled_motion": "fascia_character_with_motion",
    "evaluate": "fascia_pose", "find_clip": "fascia_find_clip", "rest_pose": "fascia_rest_pose",
    "place_rigid_parts": "engines place rigid meshes themselves", "retarget": "fascia_character_with_motion",
    # fields.h, settings.h
    "group_name": inside, "full_key": inside, "kind_name": "fascia_setting_info", "scope_name": "fascia_setting_info",
    "to_text": "fascia_setting_usual", "parse_number": inside, "methods": "fascia_method_name",
    "find_method_info": "fascia_method_abilities", "find_field": "fascia_setting_info", "key_of": inside,
    "set_field": "fascia_rig_set", "get_field": "fascia_rig_get", "value_at": "fascia_rig_get",
    "check": "fascia_bind_with", "preset_names": "fascia_preset", "preset": "fascia_preset_flesh",
    "idle_settings": tool, "settings_for": "fascia_bind_with", "settings_from": "fascia_bind_with",
    "flesh_of": "fascia_rig_get", "nearest_name": inside,
    # weights.h, io.h
    "weight_methods": "fascia_weight_method", "compute_weights": "fascia_bind_options",
    "load_character": "fascia_character_load", "load_character_from_memory": "fascia_character_from_memory",
    "load_motion": "fascia_character_with_motion", "parse_bvh": "fascia_character_with_bvh",
    "write_rig": "fascia_rig_save", "read_rig": "fascia_rig_load", "write_state": "fascia_instance_save",
    "read_state": "fascia_instance_restore", "load_flesh": "fascia_bind_options", "parse_flesh": "fascia_bind_options",
    "flesh_to_json": "fascia_preset_flesh", "load_mask": "fascia_bind_options",
    "load_mesh": tool, "add_attached": tool, "files_of": tool, "check_mesh": tool, "open_writer": tool,
    "write_character": tool, "stage_character": tool, "write_file_atomically": tool, "methods_to_json": tool,
    # world.h
    "surface_of": tool, "load_world": tool, "parse_world": "fascia_world_new", "check_world": tool, "pose_world": tool,
    "load_anatomy": "fascia_character_load", "parse_anatomy": "fascia_character_with_anatomy",
    "check_anatomy": "fascia_character_with_anatomy", "anatomy_to_json": tool,
}

in_c = set(re.findall(r"\bfascia_\w+", re.sub(r"/\*.*?\*/", "", (include / "fascia_c.h").read_text(), flags=re.S)))
declared = re.compile(r"^(?:inline )?[A-Za-z_][\w:<>,&\* ]*[ &\*>]([a-z_]+)\(", re.M)
faults, met = [], set()
for header in run_time:
    for name in declared.findall(re.sub(r"//.*", "", (include / f"{header}.h").read_text())):
        met.add(name)
        if name not in counterparts:
            faults.append(f"{header}.h: {name} is not in the C header, and nothing here says why")
for name, counterpart in counterparts.items():
    if name not in met:
        faults.append(f"{name} is in this list, but no header declares it")
    if counterpart.startswith("fascia_") and counterpart not in in_c:
        faults.append(f"{name}: the C header has no {counterpart}")
print("\n".join(faults))
sys.exit(1 if faults or len(met) < 50 else 0)
