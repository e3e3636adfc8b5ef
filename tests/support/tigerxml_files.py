"""TIGER-XML files."""

GRAPH = """\
<graph root="s7_VROOT" discontinuous="true">
 <terminals>
  <t id="s7_1" word="Darüber" lemma="darüber" pos="PROAV" morph="--"/>
  <t id="s7_2" word="hat" lemma="haben" pos="VAFIN" morph="3.Sg"/>
  <t id="s7_3" word="Ida" lemma="Ida" pos="NE" morph="Nom" comment="who is a boat">
   <secedge label="SB" idref="s7_500"/>
  </t>
  <t id="s7_4" word="lange" lemma="lange" pos="ADV"/>
  <t id="s7_5" word="nachgedacht" lemma="nachdenken" pos="VVPP"/>
  <t id="s7_6" word="." pos="$."/>
 </terminals>
 <nonterminals>
  <nt id="s7_500" cat="VP">
   <edge label="OP" idref="s7_1"/><edge label="MO" idref="s7_4"/><edge label="HD" idref="s7_5"/>
  </nt>
  <nt id="s7_501" cat="S">
   <edge label="OC" idref="s7_500"/><edge label="HD" idref="s7_2"/><edge label="SB" idref="s7_3"/>
  </nt>
  <nt id="s7_VROOT" cat="VROOT"><edge idref="s7_501"/><edge label="--" idref="s7_6"/></nt>
 </nonterminals>
</graph>"""


def corpus(graph, *, name="s7", declared="UTF-8", more=""):
    return (
        f'<?xml version="1.0" encoding="{declared}"?>\n<corpus id="harbour">\n<head/><!-- none -->\n'
        f'<body>\n<s id="{name}">\n{more}{graph}\n<matches/></s>\n</body></corpus>\n'
    )
