"""The issues, by the name of the repository that they were raised in, and where else they are answered."""

ALL = [
    # node price, GPU price, GPU allocation
    'opencost#2657', 'opencost#2901', 'opencost#2862', 'opencost#2029', 'kubecost#2418', 'opencost#3160', 'opencost#3781', 'opencost#4020',
    'kubecost#2069', 'kubecost#2010', 'opencost#2215', 'opencost#3444', 'opencost#1938', 'opencost#73', 'kubecost/cost-analyzer#3',
    'opencost#723', 'opencost#2523', 'opencost#1726', 'opencost#2243', 'kubecost#2922', 'kubecost#1389', 'opencost#287',
    'kubecost/docs#995', 'kubecost#948', 'kubecost#1978', 'opencost#892', 'opencost#3828', 'HAMi#3073', 'opencost#3039', 'opencost#2111',
    'opencost#3900', 'opencost#2987', 'opencost#1266', 'opencost#1590', 'k8s-device-plugin#87', 'k8s-device-plugin#195', 'koku#6163',
    'koku-metrics-operator#938',
    # totals and trust
    'kubecost#4854', 'kubecost#1521', 'kubecost#1143', 'kubecost#2402', 'opencost#2092', 'opencost#1409', 'opencost#1124', 'opencost#883',
    'kubecost#1965', 'opencost#3393', 'koku#4200', 'koku#5238', 'opencost#2153', 'opencost#2352',
    # time
    'kubecost#816', 'kubecost#2364', 'kubecost#1398', 'kubecost#1950', 'azure-cost-cli#130', 'manageiq#17606', 'clawmetry#5080',
    # exports
    'kubecost#80', 'sqlpage#528', 'opencti#7365', 'timetracker#318', 'posthog#54162', 'asvs#1.2.10', 'tableExport#230', 'bilig#28',
    'orangelight#2695', 'archi#141', 'apama-log-analyzer#5', 'csvkit#301', 'azure-powershell#27735', 'kubecost#665', 'kubecost#813',
    'kubecost#2319', 'kubecost#2916', 'opencost#2698', 'opencost#3587', 'azure-cost-cli#55', 'azure-cli#30161', 'hledger#238',
    'hledger#1559', 'opencost#3073', 'XlsxWriter#864', 'XlsxWriter#877', 'XlsxWriter#216', 'abap2xlsx#616', 'SheetJS#870',
    'PHP_XLSXWriter#78', 'openxlsx#65', 'ari#305', 'kubecost#1526', 'infracost#816', 'infracost#615',
    # ownership
    'opencost#1412', 'kubecost#288', 'opencost#803', 'kubecost#1048', 'opencost#152',
    # size and speed
    'opencost#1841', 'opencost#1693', 'opencost#652', 'opencost-ui#65', 'opencost#3963', 'infrastructure#2847', 'opencost#3018',
    'opencost#2682',
    # automation
    'kubecost#2233', 'kubecost#2752', 'db-sync#8', 'autorestic#400', 'terraform#23542', 'openclaw#88602', 'stackit-cli#893', 'strix#631',
    # money
    'ccusage#1636', 'opencost#822', 'opencost#2410', 'useautumn#3407', 'gumroad#5468', 'dinerojs#144', 'kubecost#1736', 'kubecost#1622',
    'azure-docs#41138', 'dcgm-exporter#307',
]

# A test of another layer answers it: its path below tests/.
ELSEWHERE = {
    'kubecost#948': 'cli/exporter/amd',                  # and others of that folder: no name of a vendor stands in the core
    'opencost#1841': 'http/answers.py',                  # a server that says "too many samples" or takes too long is asked for less
    'opencost#1693': 'http/answers.py',
    'opencost#652': 'http/answers.py',
}

# What it is about is no part of gputab.
NOT_OURS = {
    'opencost#4020': 'prices of nodes without GPUs; gputab divides what GPU nodes were billed',
    'opencost#3963': 'two samples per series are enough where requests are billed; residency needs all of them',
    'opencost-ui#65': 'a service that is asked anew for every page; a report is one run',
}
