"""A CoNLL-U file with every kind of row."""

from arbitree import plugins
from arbitree.reading.content import Content

FULL = """\
# newdoc id = weather
# sent_id = weather-1
# text = It won't rain.
1	It	it	PRON	_	_	4	expl	4:expl	_
2-3	won't	_	_	_	_	_	_	_	SpaceAfter=No
2	wo	will	AUX	_	_	4	aux	4:aux	_
3	n't	not	PART	_	_	4	advmod	4:advmod	_
4	rain	rain	VERB	_	_	0	root	0:root	SpaceAfter=No
4.1	rain	rain	VERB	_	_	_	_	4:conj	_
5	.	.	PUNCT	_	_	4	punct	4:punct	_

# sent_id = weather-2
1	Good	good	ADJ	_	_	0	root	0:root	_

"""


def read(text, name="conllu"):
    data = text if isinstance(text, bytes) else text.encode()
    return list(plugins.get("formats", name).read(Content("file", data)))


def write(entries, name="conllu"):
    return "".join(plugins.get("formats", name).write(entries))
