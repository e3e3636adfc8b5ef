"""NEGRA export files."""

THREE = """\
%% made for a test
#FORMAT 3
#BOT EDGETAG
0\t--\tnot bound
1\t#BOS\tno sentence begins here
#EOT EDGETAG
%% from the harbour
#BOS 7 2 1099000000 1 %% seen twice
Darüber\t\tPROAV\t--\t\tOP\t500
hat\t\tVAFIN\t3.Sg\t\tHD\t501
Ida\t\tNE\tNom\t\tSB\t501\tSB\t500\t%% who is a boat
lange\t\tADV\t--\t\tMO\t500
nachgedacht\tVVPP\t--\t\tHD\t500
.\t\t$.\t--\t\t--\t0
#500\t\tVP\t--\t\tOC\t501
#501\t\tS\t--\t\t--\t0
#EOS 7

#BOS 8 2 1099000000 1
Ahoi\tITJ\t--\t--\t0
#EOS 8
"""


FOUR = """\
#FORMAT 4
%% from the harbour
#BOS 7 2 1099000000 1 %% seen twice
Darüber\tdarüber\tPROAV\t--\tOP\t500
hat\thaben\tVAFIN\t3.Sg\tHD\t501
Ida\tIda\tNE\tNom\tSB\t501\tSB\t500\t%% who is a boat
lange\tlange\tADV\t--\tMO\t500
nachgedacht\tnachdenken\tVVPP\t--\tHD\t500
.\t--\t$.\t--\t--\t0
#500\t--\tVP\t--\tOC\t501
#501\t--\tS\t--\t--\t0
#EOS 7
#BOS 8 0 0 0
Ahoi\t--\tITJ\t--\t--\t0
#EOS 8
"""
