# SPDX-License-Identifier: MIT
"""vtk_read.py FILE: checks a .vti of 16x24x8 cells after 2 frames at 25 per second with VTK's reader."""
import sys

from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkDataArray
from vtkmodules.vtkIOXML import vtkXMLImageDataReader

UNITS = {"density": "1", "temperature": "K", "flame": "1/s", "fuel": "1", "velocity": "m/s",
         "color": "1"}

reader = vtkXMLImageDataReader()
assert reader.CanReadFile(sys.argv[1])
reader.SetFileName(sys.argv[1])
reader.Update()
image = reader.GetOutput()
assert image.GetExtent() == (0, 16, 0, 24, 0, 8), image.GetExtent()
assert image.GetNumberOfCells() == 16 * 24 * 8
spacing, bounds = image.GetSpacing(), image.GetBounds()
assert spacing[0] == spacing[1] == spacing[2] > 0, spacing
# The scene is 2.2 m wide. More cells than that widen the box on both sides of its centre.
assert abs(image.GetOrigin()[0] - (1.1 - 8 * spacing[0])) < 1e-6, image.GetOrigin()
assert abs(bounds[3] - 24 * spacing[1]) < 1e-6, bounds
cells = image.GetCellData()
assert cells.GetScalars().GetName() == "density" and cells.GetVectors().GetName() == "velocity"
assert cells.GetNumberOfArrays() == len(UNITS)
fields = {}
for name, unit in UNITS.items():
    array = cells.GetArray(name)
    assert array is not None, name
    assert array.GetInformation().Get(vtkDataArray.UNITS_LABEL()) == unit, name
    assert array.GetNumberOfComponents() == (3 if name in ("velocity", "color") else 1), name
    fields[name] = vtk_to_numpy(array)
assert fields["density"].min() >= 0 and fields["density"].max() > 0.01
assert 0 < abs(fields["velocity"]).max() < 100
assert fields["color"].min() >= -1e-6 and fields["color"].max() <= 1 + 1e-5
data = image.GetFieldData()
assert abs(data.GetArray("TimeValue").GetValue(0) - 0.08) < 1e-9
assert data.GetAbstractArray("scene").GetValue(0) == "gases"
assert data.GetAbstractArray("creator").GetValue(0).startswith("Billow ")
