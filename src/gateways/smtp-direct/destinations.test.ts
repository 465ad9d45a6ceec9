import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { builtInDestinations } from './destination-table.ts'
import { createDestinationGrouping, findReplyRule } from './destinations.ts'
import { mergeDestinationTable, readDestinationTable } from './destinations-file.ts'

const grouping = createDestinationGrouping(builtInDestinations)
const nameOf = (host: string) => grouping(host).name

describe('SMTP destinations', () => {
  it('group hosts by the end of their names', () => {
    const hosts = {
      'gmail-smtp-in.l.google.com': 'gmail',
      'ASPMX.L.GOOGLE.COM': 'gmail',
      'aspmx2.googlemail.com': 'gmail',
      'mta5.am0.yahoodns.net': 'yahoo',
      'hotmail-com.olc.protection.outlook.com': 'microsoft',
      'shop-example.mail.protection.outlook.com': 'microsoft',
      'smtp-in.orange.fr': 'orange',
      'mx1.free.fr': 'free',
      'mail.protonmail.ch': 'proton',
    }
    for (const [host, name] of Object.entries(hosts)) assert.equal(nameOf(host), name, host)
  })

  it('of unlisted hosts are their organisation, matched by whole labels', () => {
    assert.equal(nameOf('mx1.mail.shop.co.uk'), 'shop.co.uk')
    assert.equal(nameOf('mx.notgoogle.com'), 'notgoogle.com')
    assert.equal(nameOf('google.com.shop.example'), 'shop.example')
    assert.equal(nameOf('192.0.2.7'), '192.0.2.7')
  })

  it('have every limit, and each host pattern occurs once', () => {
    const hosts = builtInDestinations.destinations.flatMap((row) => row.hosts)
    assert.deepEqual([...new Set(hosts)], hosts)
    for (const { name, hosts } of builtInDestinations.destinations) {
      const kind = grouping(hosts[0] ?? '')
      assert.equal(kind.name, name)
      assert.ok(kind.connections >= 1 && kind.messages >= 1 && kind.rate > 0 && kind.backoff.length > 0)
    }
  })
})

describe('SMTP replies of destinations', () => {
  const verdict = (host: string, reply: string) => {
    const rule = findReplyRule(grouping(host), reply)
    return rule && [rule.verdict, rule.minutes].filter((part) => part !== undefined).join(' ')
  }
  const google = 'aspmx.l.google.com'
  const yahoo = 'mta5.am0.yahoodns.net'
  const outlook = 'x.mail.protection.outlook.com'

  it('determine what happens to their destination', () => {
    const cases: [string, string, string | undefined][] = [
      [google, '421 4.7.28 Gmail has detected an unusual rate of mail from your address', 'suspend 15'],
      [google, '450 4.2.1 The user you are trying to contact is receiving mail at a rate that', 'ignore'],
      [google, '452 4.2.2 The email account that you tried to reach is over quota', 'ignore'],
      [yahoo, '421 4.7.0 [TSS04] Messages from 192.0.2.1 temporarily deferred due to user complaints', 'suspend 60'],
      [yahoo, '421 4.7.1 [TS03] All messages will be permanently deferred; Retrying will NOT succeed', 'refuse'],
      [outlook, '451 4.7.500 Server busy. Please try again later', 'slow'],
      [outlook, '421 RP-001 The mail server has exceeded the rate limit allowed', 'suspend 15'],
      ['smtp-in.orange.fr', '421 Too many connections, slow down. OFR005_103', 'slow'],
      ['smtp-in.orange.fr', '421 Service refuse. Veuillez essayer plus tard. OFR004_104', 'suspend 30'],
      ['mx.shop.example', '451 4.7.1 Greylisted, slow down and come back', 'ignore'],
      ['mx.shop.example', '421 too many concurrent SMTP connections from your address', 'slow'],
      ['mx.shop.example', '450 4.7.1 your reputation is poor', 'suspend'],
      ['mx.shop.example', '421 4.3.2 shutting down', 'slow'],
      ['mx.shop.example', '550 5.1.1 no such mailbox', undefined],
      ['mx.shop.example', '451 4.3.0 local error', undefined],
    ]
    for (const [host, reply, expected] of cases) assert.equal(verdict(host, reply), expected, reply)
  })
})

describe("operator's destinations file", () => {
  it('changes rows, adds some before the others and leaves the rest unchanged', () => {
    const table = mergeDestinationTable({
      common: { rate: 3 },
      destinations: [
        { name: 'gmail', connections: 2 },
        {
          name: 'postini',
          hosts: ['psmtp.example'],
          replies: [{ pattern: '^4.*busy', verdict: 'suspend', minutes: 3 }],
        },
      ],
      warmUp: [10, 20],
    })
    const own = createDestinationGrouping(table)
    const gmail = own('aspmx.l.google.com')
    assert.deepEqual([gmail.name, gmail.connections, gmail.rate], ['gmail', 2, 50])
    const added = own('mx.psmtp.example')
    assert.deepEqual([added.name, added.rate], ['postini', 3])
    assert.deepEqual(findReplyRule(added, '451 Busy')?.minutes, 3)
    assert.deepEqual(table.warmUp, [10, 20])
  })

  it('is refused with every fault and its position', () => {
    const faults: [unknown, RegExp][] = [
      [{ destinations: [{ name: 'gmail', conections: 2 }] }, /\/destinations\/0/],
      [{ destinations: [{ name: 'gmail', rate: 0 }] }, /\/destinations\/0\/rate/],
      [{ warmUp: [] }, /\/warmUp must not have fewer than 1 item$/],
      [{ destinations: [{ name: 'mine' }] }, /\/destinations\/0 has no hosts, and "mine" is not built in/],
      [{ destinations: [{ name: 'gmail' }, { name: 'gmail' }] }, /\/destinations\/1 names "gmail" again/],
      [{ common: { replies: [{ pattern: '(', verdict: 'slow' }] } }, /\/common\/replies\/0\/pattern must be a regular/],
      [
        { destinations: [{ name: 'gmail', replies: [{ pattern: '^4(?=5)', verdict: 'slow' }] }] },
        /\/destinations\/0\/replies\/0\/pattern must .* without lookaround/,
      ],
      [{ common: { replies: [{ pattern: 'x', verdict: 'stop' }] } }, /\/common\/replies\/0\/verdict/],
      [[], /object/],
    ]
    for (const [file, message] of faults) assert.throws(() => mergeDestinationTable(file), message)
  })

  it('is named in the error when it cannot be read', () => {
    const directory = mkdtempSync(join(tmpdir(), 'stentor-destinations-'))
    const file = join(directory, 'destinations.json')
    writeFileSync(file, '{')
    try {
      assert.throws(() => readDestinationTable(file), /destinations\.json: /)
    } finally {
      rmSync(directory, { recursive: true })
    }
    assert.equal(readDestinationTable(undefined), builtInDestinations)
  })
})
