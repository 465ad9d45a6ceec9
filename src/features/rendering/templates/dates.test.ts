import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createDateFormatter } from './dates.ts'

const english = createDateFormatter('en-GB')
const setting = { zone: 'Europe/Paris', now: Date.UTC(2026, 2, 20, 8, 5, 9, 7) }
const format = (value: unknown, pattern: string, zone = setting.zone) =>
  english.format(value, pattern, { ...setting, zone })

describe('dates in templates', () => {
  const directives: [string, string][] = [
    ['%Y-%m-%d %H:%M:%S.%L', '2026-03-20 09:05:09.007'],
    ['%F %T %R %D', '2026-03-20 09:05:09 09:05 03/20/26'],
    ['%a %A %b %B %h', 'Fri Friday Mar March Mar'],
    ['%-d %e %-m %j %u %w', '20 20 3 079 5 5'],
    ['%I %l %k %p %P', '09  9  9 AM am'],
    ['%U %W %C %y %q', '11 11 20 26 th'],
    ['%V %G %g %r', '12 2026 26 09:05:09 AM'],
    ['%s %z %:z', '1773993909 +0100 +01:00'],
    ['%^a %-H %_H %05d %%', 'FRI 9  9 00020 %'],
    ['%n%t|%Q|%', '\n\t|%Q|%'],
  ]
  for (const [pattern, text] of directives)
    it(`are formatted with the pattern ${JSON.stringify(pattern)}`, () => assert.equal(format('now', pattern), text))

  it('have the week and year of ISO 8601, which begin on a Monday', () => {
    assert.equal(format('2027-01-03', '%G-W%V'), '2026-W53')
    assert.equal(format('2024-12-30', '%g-W%V'), '25-W01')
  })

  it('are formatted by a named style in the culture', () => {
    const names = ['short', 'medium', 'long', 'full'].map((name) => String(format('2026-03-20', name)).replace(',', ''))
    assert.deepEqual(names, ['20/03/2026', '20 Mar 2026', '20 March 2026', 'Friday 20 March 2026'])
  })

  it('of fields without a time, which are stored as midnight UTC, are the same day in every zone', () => {
    for (const zone of ['America/New_York', 'Pacific/Auckland', 'UTC'])
      assert.equal(format('1990-05-17T00:00:00.000Z', '%F %a', zone), '1990-05-17 Thu', zone)
    assert.equal(format('1990-05-17T00:00:00.001Z', '%F', 'America/New_York'), '1990-05-16')
    assert.equal(format('1990-05-17T00:00Z', '%F', 'America/New_York'), '1990-05-16')
  })

  it('without a time are the same day in every zone', () => {
    for (const zone of ['Pacific/Auckland', 'America/Los_Angeles', '-11:00'])
      assert.equal(format('2026-03-20', '%F', zone), '2026-03-20')
  })

  it("with a time are shown in the contact's zone, with its rules on that day", () => {
    assert.equal(format('2026-03-29T00:59:00Z', '%R %z'), '01:59 +0100')
    assert.equal(format('2026-03-29T01:00:00Z', '%R %z'), '03:00 +0200')
    assert.equal(format('2026-03-20T23:30:00', '%F %R'), '2026-03-21 00:30')
    assert.equal(format('2026-03-20T23:30:00+05:00', '%R'), '19:30')
    assert.equal(format('2026-03-20T12:00:00Z', '%R', '+05:30'), '17:30')
  })

  it('are read as Ruby prints them, and as words in either case', () => {
    assert.equal(format('2026-03-20 08:05:09 UTC', '%F %T', 'UTC'), '2026-03-20 08:05:09')
    assert.equal(format('2026-03-20 23:05:09 UTC', '%F %T %z'), '2026-03-21 00:05:09 +0100')
    assert.equal(format('2026-03-20 23:05 GMT', '%R'), '00:05')
    assert.equal(format('2026-02-30 23:05:09 UTC', '%F'), '2026-02-30 23:05:09 UTC')
    assert.equal(format('Today', '%F'), '2026-03-20')
  })

  it('are read as fields of dates read them, so that one value is one date', () => {
    assert.equal(format(1_773_993_909_007, '%F'), '2026-03-20')
    assert.equal(format('1773993909007', '%F'), '2026-03-20')
    assert.equal(format(1_773_993_909, '%F'), '1970-01-21')
    assert.equal(format('1773993909', '%F'), '1970-01-21')
    assert.equal(format('20260320', '%F', 'America/Los_Angeles'), '2026-03-20')
    assert.equal(format('20260320233000', '%F %R'), '2026-03-21 00:30')
  })

  it('are also read from words, and other values and days that no calendar has are returned unchanged', () => {
    assert.equal(format('March 20, 2026', '%F', 'UTC'), '2026-03-20')
    assert.equal(format('today', '%F'), '2026-03-20')
    for (const value of ['soon', '', null, undefined, true, [], {}, '2026-02-30', '2026-13-01T10:00'])
      assert.equal(format(value, '%F'), value)
  })
})
