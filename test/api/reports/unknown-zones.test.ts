import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { checkTimeZones } from '../../../src/cli/doctor/doctor-zones.ts'
import { countAudienceGrowth, queueAudienceGrowth } from '../../../src/features/segments/growth/counting.ts'
import { startHarness } from '../../support/harness.ts'

const { call, clock, context, own, other } = await startHarness()
const { db, pool } = context

/** Makes the database forget names of time zones, as if its rules were older. */
async function forget(...names: string[]): Promise<void> {
  await pool.query(`
    create or replace function known_zone(names text[]) returns text language sql stable strict as $$
      select z.name from unnest(names) with ordinality n (name, place) join pg_timezone_names z using (name)
      where z.name <> all('{${names.join()}}'::text[]) order by n.place limit 1 $$`)
}

async function setZone(zone: string, account = own.account): Promise<void> {
  await pool.query(
    `update accounts set settings = jsonb_set(settings, '{contacts}', jsonb_build_object('timeZone', $1::text)) where id = $2`,
    [zone, account],
  )
}

suite('a time zone whose name the database does not know', () => {
  test('is used by its other name, and named by doctor', async () => {
    await forget('Europe/Kyiv')
    await setZone('Europe/Kyiv')
    assert.deepEqual(await checkTimeZones(db), [
      {
        subject: 'time zone Europe/Kyiv',
        ok: true,
        seen: `${own.code}: unknown to the database, which uses Europe/Kiev instead`,
        advice: 'Update the time zone data of PostgreSQL, or set timeZone in the contact settings of the accounts.',
      },
    ])
    const { rows } = await pool.query('select known_zone($1) as name', [['Europe/Kyiv', 'Europe/Kiev']])
    assert.equal(rows[0].name, 'Europe/Kiev')
  })

  test('does not stop growth from being counted and read, for its account or others', async () => {
    // Temporal has rules for this zone, but no statement may pass it to the database.
    await pool.query(
      `create or replace function known_zone(names text[]) returns text language sql as 'select null::text'`,
    )
    clock.set('2026-05-02T21:30:00Z')
    await setZone('Europe/Kyiv')
    await setZone('No/Such_Zone', other.account)
    await queueAudienceGrowth(db, clock.now())
    for (const account of [own.account, other.account]) await countAudienceGrowth(db, { account }, clock.now())
    const answer = await call('GET', '/targets/growth?start=2026-05-01&end=2026-05-04')
    assert.deepEqual(
      [answer.status, answer.body.map(({ date }: { date: string }) => date)],
      [200, ['2026-05-02', '2026-05-03']],
    )
    const findings = await checkTimeZones(db)
    assert.deepEqual(
      findings.map(({ subject, ok }) => [subject, ok]),
      [
        ['time zone Europe/Kyiv', false],
        ['time zone No/Such_Zone', false],
      ],
    )
    await setZone('UTC', other.account)
  })

  test('is refused with advice, not with 500, if the database has no other name for it', async () => {
    await setZone('Europe/Kyiv')
    await pool.query(
      `create or replace function known_zone(names text[]) returns text language sql as $$select 'No/Such_Zone'::text$$`,
    )
    await call('POST', '/targets', { body: { email: 'ann@shop.example' } })
    const criteria = { type: 'creationDate', operator: 'anniversary', value: { from: 0, to: 1 } }
    const { body: segment } = await call('POST', '/segments', { body: { type: 'dynamic', name: 'Days', criteria } })
    const { status, body } = await call('GET', `/segments/${segment.id}/targets`)
    assert.deepEqual([status, body.detail?.split('.')[0]], [503, 'The database does not know the time zone'])
  })
})
