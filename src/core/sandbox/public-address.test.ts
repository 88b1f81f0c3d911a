import { expect, test } from 'vitest'
import { isPublicAddress } from './public-address.ts'

test.each([
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.1',
  '169.253.255.255',
  '169.255.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2A00:1450:4001:81B::200E',
  '2001:4860:4860::8888',
  '2003::1',
])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})

test.each([
  ['unspecified', '0.0.0.0 0.1.2.3 :: 0:0:0:0:0:0:0:0'],
  ['loopback', '127.0.0.1 127.255.255.255 ::1 0:0:0:0:0:0:0:1'],
  ['private', '10.0.0.0 10.255.255.255 172.16.0.1 172.31.255.255 192.168.0.1 192.168.255.255'],
  ['carrier-grade NAT', '100.64.0.0 100.127.255.255'],
  ['link-local, with metadata services', '169.254.0.1 169.254.169.254 fe80::1 fe80::1%eth0 febf::1'],
  ['a service of the cloud host', '168.63.129.16 fd00:ec2::254 100.100.100.200 192.0.0.192'],
  [
    'for documentation and benchmarks',
    '192.0.2.1 198.51.100.7 203.0.113.9 198.18.0.1 198.19.255.255 2001:db8::1 3fff::1',
  ],
  ['multicast, reserved or broadcast', '224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 ff02::1'],
  [
    'a mapped IPv4 address',
    '::ffff:127.0.0.1 ::ffff:8.8.8.8 ::ffff:7f00:1 ::127.0.0.1 ::FFFF:10.0.0.1 ::ffff:0:10.0.0.1',
  ],
  ['NAT64', '64:ff9b::7f00:1 64:ff9b::8.8.8.8 64:ff9b:1::a00:1'],
  ['6to4 or Teredo', '2002:7f00:1:: 2002:808:808::1 2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  ['unique local or site-local', 'fc00::1 fd12:3456::1 fec0::1'],
  ['discard or unassigned', '100::1 1::1 4000::1 5f00::1 8000::1'],
  [
    'no address',
    'example.org 1.2.3 1.2.3.256 01.2.3.4.5 1:2:3:4:5:6:7 1:2:3:4:5:6:7:8:9 2606::1::2 2606::g 2606::12345 1 :',
  ],
])('%s is not public', (_, addresses) => {
  expect(addresses.split(' ').filter((address) => isPublicAddress(address))).toEqual([])
})
