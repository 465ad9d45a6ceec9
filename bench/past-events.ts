import type { DatabasePool } from '../src/database/connection/connect.ts'

/** What was loaded: an action that has a tenth of all events, and the contacts that they are shared out among. */
export interface PastEvents {
  action: number
  firstContact: number
  contacts: number
}

const ACTIONS = 100
const EVENTS_OF_A_CONTACT = 50
/** Rows of one statement. */
const BATCH = 250_000

/** `source.detail` as it is written for an email: `hit` of the kinds that are one, `bounce` of those that are not. */
const DETAIL = `
  '{"activation":{"id":"' || upper(lpad(to_hex(subject), 6, '0')) || '","kind":"campaign","receiver":{"type":"footprint","id":"'
  || upper(lpad(to_hex(contact), 8, '0')) || '","unicity":"person.' || contact || '@shop.example","hash":"' || md5(contact::text)
  || '"},"stamp":{"time":1767258000000,"id":"' || stamp || '","thread":"' || stamp || '","set":"019b78c9-0a80-7ee0-ab49-0ff832101cf8"},'
  || '"recipient":"person.' || contact || '@shop.example","field":101,"gateway":{"name":"mx1","message":"7F2C1A"}}'
  || case kind when 'activations' then ''
       when 'bounces' then ',"bounce":{"time":1767258005118,"status":{"type":"sync","code":{"enhanced":"5.1.1","reply":550},'
         || '"diagnostic":"550 5.1.1 no such mailbox","mta":"mx.shop.example"},"analysis":{"verdict":"hard","subject":'
         || '{"type":"address","detail":{"type":"bad destination mailbox address"}},"rule":"user-unknown"}}'
       else ',"link":{"type":"' || substr(kind, 6) || '","id":4,"name":"hero button","url":"https://shop.example/a?u=' || contact
         || '"},"hit":{"time":1767259010000,"ip":"203.0.113.0","userAgent":"Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X)",'
         || '"device":{"type":"phone","os":"iOS 19.1","client":"Apple Mail"},"classification":null}' end || '}'`

/**
 * So many events of email actions, in the order of their time over the last sixty days: more than half activations, then
 * opens, clicks and bounces. Those of the big action lie evenly among the others, so each one is on a page of its own.
 */
export async function loadPastEvents(pool: DatabasePool, account: number, count: number): Promise<PastEvents> {
  const contacts = Math.ceil(count / EVENTS_OF_A_CONTACT)
  await pool.query("select make_event_partitions(now() - interval '3 months', 4)")
  await pool.query(
    `insert into contacts (account, fields, unicity, key, hash, created_at, updated_at)
     select $1, '{}', mail, mail, decode(md5(mail), 'hex'), now(), now()
     from (select 'person.' || n || '@shop.example' as mail from generate_series(1, $2::integer) n) people`,
    [account, contacts],
  )
  const { rows: actions } = await pool.query<{ id: number }>(
    `insert into actions (account, type, name, state, folder, category, settings, content, created_at, updated_at)
     select $1, 'mailMessage', 'Any', 38, 1, id, '{}', '{}', now(), now()
     from (select min(id) as id from categories where account = $1) c, generate_series(1, ${ACTIONS}) returning id`,
    [account],
  )
  const { rows } = await pool.query<{ first: number }>('select min(id) as first from contacts where account = $1', [
    account,
  ])
  const [{ id: action } = { id: 0 }, { first: firstContact } = { first: 0 }] = [actions[0], rows[0]]
  for (let done = 0; done < count; done += BATCH) {
    await pool.query(
      `insert into events (id, at, account, channel, kind, subject, contact, stamp, thread, activation_at, detail)
       select id, uuid_extract_timestamp(id), $1, 'email', kind, subject, contact, stamp, stamp,
         case when kind <> 'activations' then uuid_extract_timestamp(id) - interval '1 minute' end, (${DETAIL})::json
       from (
         select uuidv7(interval '-60 days' * (1 - n::float / $2)) as id, gen_random_uuid() as stamp,
           $3 + case when n % 10 = 0 then 0 else 1 + n % ${ACTIONS - 1} end as subject,
           $4 + floor(random() * $5)::bigint as contact,
           (array['activations', 'activations', 'activations', 'hits/open', 'hits/open', 'hits/redirection', 'activations',
             'activations', 'activations', 'hits/open', 'bounces'])[1 + n / 10 % 11] as kind
         from generate_series($6::integer, $7::integer) n offset 0) e`,
      [account, count, action, firstContact, contacts, done + 1, Math.min(count, done + BATCH)],
    )
  }
  // To count them, as events that come late, would take the service minutes beside what is measured, and no history reads counts.
  await pool.query('delete from stale_event_counts')
  await pool.query('vacuum (analyze) events')
  await pool.query('vacuum (analyze) contacts')
  return { action, firstContact, contacts }
}
