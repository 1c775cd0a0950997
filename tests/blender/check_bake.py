# Bakes a character and has Blender read it, three ways; every evaluated vertex must equal ours to 1e-5 of the size:
#   the baked GLB, played by its shape keys;
#   the PC2 of each mesh node (--split --axes blender), dropped on the original file through the Mesh Cache modifier;
#   the original file, skinned by Blender itself (our method `lbs` claims to be the same).
#
#     blender -b --factory-startup --python-exit-code 1 -P check_bake.py -- FASCIA CHARACTER FOLDER
import os
import shutil
import struct
import subprocess
import sys

import numpy

numpy.bool = bool  # Blender 3.4's importer uses a name that numpy has dropped

import bpy  # noqa: E402
import io_scene_gltf2.blender.imp.gltf2_blender_mesh as importer  # noqa: E402

FPS = 30
SECONDS = 0.5
TOLERANCE = 1e-5


def forgive_unused_joint_slots():
    """Blender's importer reads the joint of a slot even where its weight is 0; such slots may name anything."""
    strict = importer.skin_into_bind_pose

    def forgiving(gltf, skin, joints, weights, locs, vert_normals):
        for slots, shares in zip(joints, weights):
            slots[shares == 0] = 0
        strict(gltf, skin, joints, weights, locs=locs, vert_normals=vert_normals)

    importer.skin_into_bind_pose = forgiving


def bake(fascia, character, *options):
    subprocess.run([fascia, "bake", character, "--method", "lbs", "--motion", "0", "--fps", str(FPS), "--from", "0",
                    "--to", str(SECONDS), "--quiet", *options], check=True)


def read_pc2(path):
    """[frames, vertices, 3]"""
    with open(path, "rb") as file:
        magic, version, vertices, start, rate, frames = struct.unpack("<12siiffi", file.read(32))
        assert magic == b"POINTCACHE2\0" and version == 1 and start == 0 and rate == 1, path
        points = numpy.fromfile(file, dtype="<f4")
    return points.reshape(frames, vertices, 3)


def read_caches(folder, stem):
    """Node name -> points, of the files STEM.NODE.pc2."""
    return {name[len(stem) + 1:-4]: read_pc2(os.path.join(folder, name))
            for name in sorted(os.listdir(folder)) if name.startswith(stem + ".") and name.endswith(".pc2")}


def import_fresh(path):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = FPS
    bpy.ops.import_scene.gltf(filepath=path)
    # A character's helpers (the importer adds a mesh to draw bones with) are not part of the scene.
    return {o.name: o for o in bpy.context.scene.objects if o.type == "MESH"}


def evaluated_points(item, frame):
    bpy.context.scene.frame_set(frame)
    shown = item.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = shown.to_mesh()
    points = numpy.empty(len(mesh.vertices) * 3, dtype=numpy.float32)
    mesh.vertices.foreach_get("co", points)
    shown.to_mesh_clear()
    matrix = numpy.array(shown.matrix_world)
    return points.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3]


class Comparison:
    def __init__(self, size):
        self.size = size
        self.failures = []

    def check(self, what, item, cache):
        worst = 0.0
        for frame in (0, len(cache) // 2, len(cache) - 1):
            points = evaluated_points(item, frame)
            if len(points) != cache.shape[1]:
                self.failures.append(f"{what}: {item.name} has {len(points)} vertices, ours {cache.shape[1]}")
                return
            worst = max(worst, float(numpy.abs(points - cache[frame]).max()) / self.size)
        print(f"{what}: {item.name}: {cache.shape[1]} vertices, off by {worst:.2e} of the size")
        if not worst <= TOLERANCE:
            self.failures.append(f"{what}: {item.name} is off by {worst:.2e} of the size")

    def missing(self, what, name, objects):
        self.failures.append(f"{what}: no object {name} among {sorted(objects)}")


def check_baked_glb(path, caches, comparison):
    objects = import_fresh(path)
    for name, cache in caches.items():
        item = objects.get(name) or objects.get(name + "_baked")
        if item:
            comparison.check("baked GLB", item, cache)
        else:
            comparison.missing("baked GLB", name, objects)


def check_blender_skinning(path, caches, comparison):
    objects = import_fresh(path)
    for name, cache in caches.items():
        if name in objects:
            comparison.check("Blender's own skinning", objects[name], cache)
        else:
            comparison.missing("Blender's own skinning", name, objects)
    return objects


def check_mesh_cache(objects, caches, folder, stem, comparison):
    for name, cache in caches.items():
        item = objects.get(name)
        if not item:
            continue  # reported before
        item.modifiers.clear()
        item.shape_key_clear()
        item.parent = None
        item.matrix_world.identity()
        modifier = item.modifiers.new("cache", "MESH_CACHE")
        modifier.cache_format = "PC2"
        modifier.filepath = os.path.join(folder, f"{stem}.{name}.pc2")
        modifier.forward_axis, modifier.up_axis = "POS_Y", "POS_Z"
        modifier.frame_start = 0
        comparison.check("Mesh Cache", item, cache)


def main(fascia, character, folder):
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    forgive_unused_joint_slots()
    bake(fascia, character, "-o", os.path.join(folder, "x.glb"))
    bake(fascia, character, "--split", "--axes", "blender", "-o", os.path.join(folder, "x.pc2"))
    caches = read_caches(folder, "x")
    first = numpy.concatenate([cache[0] for cache in caches.values()])
    comparison = Comparison(float((first.max(axis=0) - first.min(axis=0)).max()))
    check_baked_glb(os.path.join(folder, "x.glb"), caches, comparison)
    objects = check_blender_skinning(character, caches, comparison)
    check_mesh_cache(objects, caches, folder, "x", comparison)
    for failure in comparison.failures:
        print("FAILED", failure, file=sys.stderr)
    if not comparison.failures:
        shutil.rmtree(folder)
    return 1 if comparison.failures or not caches else 0


sys.exit(main(*sys.argv[sys.argv.index("--") + 1:]))
