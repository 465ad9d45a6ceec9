import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { buildContactKey } from '../../../src/features/contacts/fields/identity.ts'
import { foldPipelineText } from '../../../src/features/pipelines/values/texts.ts'
import { cloneDatabase } from '../../support/database/database.ts'

const { db, drop } = await cloneDatabase()
after(drop)

test('case folding in memory equals that of the database for every character', async () => {
  const { rows: letters } = await sql<{ letter: string; form: string; first: number }>`
    select letter, form, min(code) over (partition by form) as first
    from (select code, chr(code) as letter, folded(chr(code)) as form
          from generate_series(1, 1114111) code where code not between 55296 and 57343) each_letter
    order by code`.execute(db)
  const firsts = new Map<string, number>()
  const others = letters.filter(({ letter, first }) => {
    const form = foldPipelineText(letter)
    if (!firsts.has(form)) firsts.set(form, letter.codePointAt(0) ?? 0)
    return firsts.get(form) !== first
  })
  assert.deepEqual([letters.length > 1_000_000, others], [true, []])
})

test('the key of an address equals that of the database for every character the database knows, alone and composed with others', async () => {
  const rule = { unicity: [{ type: 'email' as const }], foldsKeys: false }
  for (const [before, after] of [
    ['', ''],
    ['a', '\u0307\u0301b'],
  ] as const) {
    const { rows } = await sql<{ text: string; key: string }>`
      select text, address_key(text) as key
      from (select ${before}::text || chr(code) || ${after}::text as text
            from generate_series(1, 1114111) code where code not between 55296 and 57343) each_letter
      where unicode_assigned(text)`.execute(db)
    const others = rows.filter(({ text, key }) => buildContactKey(rule, text) !== key)
    assert.deepEqual([rows.length > 250_000, others], [true, []])
  }
})
