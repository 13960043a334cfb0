"""Addresses that reach into a private network, in every spelling somebody could try."""

LOOPBACK = (
    "http://127.0.0.1/", "http://127.0.0.1:11434/v1", "http://127.1/", "http://127.0.1/", "http://127.255.255.254/",
    "http://2130706433/", "http://017700000001/", "http://0x7f000001/", "http://0x7F.0x0.0x0.0x1/",
    "http://0177.0.0.1/", "http://0177.0.0.01/", "http://0x7f.1/", "http://127.0x1/", "http://127.0.0.1./",
    "http://①②⑦.⓪.⓪.①/", "http://127。0。0。1/", "http://１２７.0.0.1/",  # noqa: RUF001 - as attackers write
    "http://0/", "http://0.0.0.0/", "http://0x0/", "http://[::]/", "http://[::1]/", "http://[0:0:0:0:0:0:0:1]/",
    "http://0x7f000001:8080/", "http://0177.1/", "http://127.000.000.001/", "http://[::0001]/", "http://[::1%25lo]/",
    "http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/", "http://localhost。/", "http://localhost6/", "http://ip6-localhost/", "http://loopback/",
    "http://localhost/", "http://LOCALHOST/", "http://localhost./", "http://a.localhost/", "http://localhost.localdomain/",
)  # fmt: skip

EMBEDDED = (
    "http://[::ffff:127.0.0.1]/", "http://[::ffff:7f00:1]/", "http://[0:0:0:0:0:ffff:7f00:1]/", "http://[::FFFF:10.0.0.1]/",
    "http://[::127.0.0.1]/", "http://[::ffff:0:127.0.0.1]/", "http://[64:ff9b::127.0.0.1]/", "http://[64:ff9b::a00:1]/",
    "http://[64:ff9b:1::1]/", "http://[2002:7f00:1::]/", "http://[2002:c0a8:101::1]/", "http://[2002:808:808::1]/",
    "http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/", "http://[2001:4860::5efe:10.0.0.1]/",
    "http://[0000::ffff:127.0.0.1]/", "http://[::ffff:192.168.1.1]/", "http://[64:ff9b::7f00:1]/",
    "http://[2002:a9fe:a9fe::]/", "http://[2001:0:0:0:0:0:80ff:fffe]/", "http://[::a9fe:a9fe]/",
    "http://[2001:4860::200:5efe:192.168.0.1]/", "http://[::ffff:169.254.169.254]/",
)  # fmt: skip

PRIVATE = (
    "http://10.0.0.1/", "http://10.255.255.255/", "http://012.0.0.1/", "http://167772161/", "http://172.16.0.1/",
    "http://172.31.255.254/", "http://192.168.0.1/", "http://192.168.257/", "http://0xc0a80001/", "http://100.64.0.1/",
    "http://100.127.255.254/", "http://169.254.1.1/", "http://192.0.0.8/", "http://192.0.2.1/", "http://192.88.99.1/",
    "http://198.18.0.1/", "http://198.51.100.7/", "http://203.0.113.7/", "http://224.0.0.1/", "http://239.255.255.250/",
    "http://240.0.0.1/", "http://255.255.255.255/", "http://4294967295/", "http://[fe80::1]/", "http://[fe80::1%25eth0]/",
    "http://[fec0::1]/", "http://[fc00::1]/", "http://[fd12:3456:789a::1]/", "http://[ff02::1]/", "http://[100::1]/",
    "http://[2001:db8::1]/", "http://[3fff::1]/", "http://[4000::1]/", "http://printer/", "http://printer.local/",
    "http://host.docker.internal/", "http://kubernetes.default.svc.cluster.local/", "http://db.intranet/", "http://nas.home/",
    "http://metadata/", "http://instance-data/", "http://wpad/", "http://0xa.0.0.1/", "http://0300.0250.0.1/", "http://[ff05::1:3]/",
    "http://metadata.google.internal/", "http://router.lan/", "http://1.0.0.127.in-addr.arpa/",
)  # fmt: skip

METADATA = (
    "http://169.254.169.254/latest/meta-data/", "http://2852039166/", "http://0xa9fea9fe/", "http://0251.0376.0251.0376/",
    "http://169.254.170.2/v2/credentials/", "http://100.100.100.200/", "http://168.63.129.16/", "http://192.0.0.192/",
    "http://[fd00:ec2::254]/", "http://[fd20:ce::254]/", "http://[::ffff:a9fe:a9fe]/", "http://[64:ff9b::a9fe:a9fe]/",
)  # fmt: skip

REFUSED = LOOPBACK + EMBEDDED + PRIVATE + METADATA

# What looks like one host and is another, or is no address at all: none of it can be entered.
TRICKS = (
    "http://8.8.8.8@127.0.0.1/", "http://example.org:80@127.0.0.1/", "http://user:password@example.org/",
    "http://127.0.0.1\\@example.org/", "http://example.org\\@127.0.0.1/", "http://example.org#@127.0.0.1/",
    "http://127.0.0.1?@example.org/", "http://example.org/?to=http://127.0.0.1/", "http:127.0.0.1/",
    "http:/127.0.0.1/",
    "http:///127.0.0.1/", "//127.0.0.1/", "http://", "http://[::1/", "http://[::ffff:0x7f.0.0.1]/", "http://::1/", "http://127.0.0.1:99999/",
    "http://127.0.0.1:/x y", "http://127.0.0.1\t.example.org/", "http://example.org\r\nHost: 127.0.0.1/",
    "file:///etc/passwd", "gopher://127.0.0.1:6379/_FLUSHALL", "ftp://127.0.0.1/", "unix:///run/docker.sock",
    "dict://127.0.0.1:11211/stats", "javascript:alert(1)", "data:text/plain,kelp",
)  # fmt: skip

PUBLIC = (
    "https://api.openai.com/v1", "https://api.anthropic.com", "https://8.8.8.8/", "https://172.15.0.1/", "https://172.32.0.1/",
    "https://100.63.255.255/", "https://100.128.0.1/", "https://169.253.1.1/", "https://192.0.1.1/", "https://[2606:4700::1111]/",
    "https://[2001:4860:4860::8888]/", "https://[64:ff9b::8.8.8.8]/", "https://[::ffff:8.8.8.8]/", "https://localhost.example.com/",
    "https://10.example.org/", "https://local.example/",
)  # fmt: skip
