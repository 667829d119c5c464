#!/usr/bin/env python3
"""Packs the extension as a .vsix, which VS Code installs from a file; the same sources give the same bytes. A .vsix is a zip file
with a manifest, made here of package.json.

    plugins/vscode/pack.py FILE.vsix
"""
import json
import pathlib
import sys
import zipfile
from xml.sax.saxutils import escape, quoteattr

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
FILES = {"package.json": HERE, "extension.js": HERE, "page.js": HERE, "README.md": HERE, "LICENSE": ROOT, "NOTICE": ROOT}
TYPES = """<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension=".json" ContentType="application/json"/><Default Extension=".js" ContentType="application/javascript"/>
<Default Extension=".md" ContentType="text/markdown"/><Default Extension=".vsixmanifest" ContentType="text/xml"/>
<Override PartName="/extension/LICENSE" ContentType="text/plain"/><Override PartName="/extension/NOTICE" ContentType="text/plain"/>
</Types>
"""
MANIFEST = """<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
<Metadata>
<Identity Language="en-US" Id={name} Version={version} Publisher={publisher}/>
<DisplayName>{title}</DisplayName>
<Description xml:space="preserve">{description}</Description>
<Tags>{keywords}</Tags>
<Categories>{categories}</Categories>
<License>extension/LICENSE</License>
<Properties>
<Property Id="Microsoft.VisualStudio.Code.Engine" Value={engine}/>
<Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value={kind}/>
</Properties>
</Metadata>
<Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
<Dependencies/>
<Assets>
<Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
<Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
<Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE" Addressable="true"/>
</Assets>
</PackageManifest>
"""


def manifest():
    about = json.loads((HERE / "package.json").read_text(encoding="utf-8"))
    return MANIFEST.format(
        **{key: quoteattr(about[key]) for key in ("name", "version", "publisher")}, title=escape(about["displayName"]),
        description=escape(about["description"]), keywords=escape(",".join(about["keywords"])),
        categories=escape(",".join(about["categories"])), engine=quoteattr(about["engines"]["vscode"]),
        kind=quoteattr(",".join(about["extensionKind"])))


def pack(target):
    parts = {"[Content_Types].xml": TYPES.encode(), "extension.vsixmanifest": manifest().encode(),
             **{f"extension/{name}": (folder / name).read_bytes() for name, folder in FILES.items()}}
    with zipfile.ZipFile(target, "w") as archive:
        for name, content in parts.items():
            info = zipfile.ZipInfo(name)  # with the date 1980-01-01, whatever the day is
            info.external_attr, info.compress_type = 0o644 << 16, zipfile.ZIP_DEFLATED
            archive.writestr(info, content)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    pack(sys.argv[1])
