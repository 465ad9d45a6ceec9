import { sql } from 'kysely'
import type { ChannelRedListName } from '../../channels/channel-traits.ts'
import { type Db, inSavepoint, inTransaction, toJsonbText } from '../../database/connection/connect.ts'
import { mapConstraintErrors } from '../../database/errors.ts'
import type { AccountId, LockedObject } from '../../lib/account.ts'
import { badRequestProblem, conflictProblem, notFoundProblem } from '../../lib/errors/problem.ts'
import { formatActionId } from '../../lib/ids.ts'
import { foldUnicodeCase } from '../../lib/text/fold.ts'
import { type FormDefinition, parseFormBody } from './form-body.ts'
import type { FormBody, FormField, FormResource, LocalizedFormText } from './form-schemas.ts'

interface FormRow {
  id: number
  name: string
  title: LocalizedFormText
  introduction: LocalizedFormText
  submit_label: LocalizedFormText
  success_message: LocalizedFormText
  fields: FormField[]
  segment: number | null
  red_list: ChannelRedListName[]
  created_at: Date
  updated_at: Date
}

/** Columns that are read from a row `f` of forms. */
const formColumns = sql`
  f.id, f.name, f.title, f.introduction, f.submit_label, f.success_message, f.segment, f.red_list, f.created_at, f.updated_at,
  coalesce((
    select json_agg(json_build_object('field', l.field, 'label', l.label, 'required', l.is_required, 'prefill', l.is_prefilled)
      order by l.position)
    from form_fields l where l.form = f.id), '[]') as fields`

function toFormResource(row: FormRow): FormResource {
  return {
    id: formatActionId(row.id),
    name: row.name,
    title: row.title,
    introduction: row.introduction,
    submitLabel: row.submit_label,
    successMessage: row.success_message,
    fields: row.fields,
    segment: row.segment,
    redList: row.red_list,
    creationDate: row.created_at.toISOString(),
    updateDate: row.updated_at.toISOString(),
  }
}

/** Every form, ascending id. */
export async function* listForms(
  db: Db,
  account: AccountId,
  { after, limit }: { after: number | undefined; limit: number | undefined },
): AsyncGenerator<FormResource> {
  const { rows } = await sql<FormRow>`
    select ${formColumns} from forms f where f.account = ${account} and f.id > ${after ?? 0}
    order by f.id limit ${limit ?? null}::integer`.execute(db)
  for (const row of rows) yield toFormResource(row)
}

/** Finds one form. `undefined` if it does not exist. */
export async function findForm(db: Db, account: AccountId, id: number): Promise<FormResource | undefined> {
  const { rows } =
    await sql<FormRow>`select ${formColumns} from forms f where f.account = ${account} and f.id = ${id}`.execute(db)
  const [row] = rows
  return row && toFormResource(row)
}

/** One form. Throws notFound. */
export async function loadForm(db: Db, account: AccountId, id: number): Promise<FormResource> {
  const form = await findForm(db, account, id)
  if (!form) throw notFoundProblem('form', formatActionId(id))
  return form
}

/** The wire ids of every form of an account, ascending. */
export async function listFormIds(db: Db, account: AccountId): Promise<string[]> {
  const rows = await db.selectFrom('forms').select('id').where('account', '=', account).orderBy('id').execute()
  return rows.map(({ id }) => formatActionId(id))
}

function toFormColumns(content: FormDefinition, now: Date) {
  return {
    name: content.name,
    name_folded: foldUnicodeCase(content.name),
    title: toJsonbText(content.title),
    introduction: toJsonbText(content.introduction),
    submit_label: toJsonbText(content.submitLabel),
    success_message: toJsonbText(content.successMessage),
    segment: content.segment,
    red_list: content.redList,
    updated_at: now,
  }
}

function nameConflict({ name }: FormDefinition) {
  return { unique: () => conflictProblem('name-taken', `Another form is called "${name}".`) }
}

async function replaceFields(tx: Db, account: AccountId, form: number, fields: readonly FormField[]): Promise<void> {
  await tx.deleteFrom('form_fields').where('form', '=', form).execute()
  const insertQuery = sql`
    insert into form_fields (account, form, position, field, label, is_required, is_prefilled)
    select ${account}, ${form}, n.position - 1, (n.given->>'field')::integer, n.given->'label',
      (n.given->>'required')::boolean, (n.given->>'prefill')::boolean
    from jsonb_array_elements(${toJsonbText(fields)}::jsonb) with ordinality as n (given, position)`
  await mapConstraintErrors(insertQuery.execute(tx), {
    foreignKey: () => badRequestProblem('/fields', 'contains a field that has just been deleted'),
  })
}

/**
 * Makes a form. Throws 400 with every fault, notFound (segment), conflict `name-taken` (compared without case),
 * `segment-dynamic`, `field-unicity`; then none is made.
 */
export function createForm(db: Db, account: AccountId, body: FormBody, now: Date): Promise<FormResource> {
  return inTransaction(db, async (tx) => {
    const definition = await parseFormBody(tx, account, body, undefined)
    const row = { account, ...toFormColumns(definition, now), created_at: now }
    const insertQuery = tx.insertInto('forms').values(row).returning('id').executeTakeFirstOrThrow()
    const { id } = await mapConstraintErrors(insertQuery, nameConflict(definition))
    await replaceFields(tx, account, id, definition.fields)
    return loadForm(tx, account, id)
  })
}

/** Locks a form until the transaction ends and loads it; links to it may be made meanwhile. Throws notFound. */
export async function lockForm(tx: Db, account: AccountId, id: number): Promise<FormResource> {
  const form = tx.selectFrom('forms').select('id').where('account', '=', account).where('id', '=', id)
  await form.forNoKeyUpdate().execute()
  return loadForm(tx, account, id)
}

/** Changes the members given of a locked form. Throws as createForm; then nothing is changed. */
export async function updateForm(
  tx: Db,
  { account, id, stored: form }: LockedObject<number, FormResource>,
  body: FormBody,
  now: Date,
): Promise<FormResource> {
  const definition = await parseFormBody(tx, account, body, form)
  const updateQuery = tx
    .updateTable('forms')
    .set(toFormColumns(definition, now))
    .where('account', '=', account)
    .where('id', '=', id)
  await mapConstraintErrors(updateQuery.execute(), nameConflict(definition))
  if (body.fields) await replaceFields(tx, account, id, definition.fields)
  return loadForm(tx, account, id)
}

/** Actions neither deleted nor finished that link to a form, by ascending id. */
export async function listFormLinks(
  db: Db,
  account: AccountId,
  form: number,
): Promise<{ type: 'action'; id: string; name: string }[]> {
  const { rows } = await sql<{ id: number; name: string }>`
    select a.id, a.name from action_forms l join actions a on a.id = l.action
    where l.account = ${account} and l.form = ${form} order by a.id`.execute(db)
  return rows.map(({ id, name }) => ({ type: 'action', id: formatActionId(id), name }))
}

/** Deletes a form; its links lead to a page that says so. Throws notFound, conflict `form-linked` naming the actions. */
export async function deleteForm(db: Db, { account, id }: { account: AccountId; id: number }): Promise<void> {
  const deletion = inSavepoint(db, (tx) =>
    tx.deleteFrom('forms').where('account', '=', account).where('id', '=', id).executeTakeFirstOrThrow(),
  )
  let isLinked = false
  try {
    const { numDeletedRows } = await mapConstraintErrors(deletion, {
      foreignKey: () => {
        isLinked = true
        return conflictProblem('form-linked', 'The form is in use.')
      },
    })
    if (numDeletedRows === 0n) throw notFoundProblem('form', formatActionId(id))
  } catch (error) {
    if (!isLinked) throw error
    // The foreign key refused; the links are for the answer, and never checked first.
    const links = await listFormLinks(db, account, id)
    const linkNames = links.map((link) => `action ${link.id} (${link.name})`).join(', ')
    throw conflictProblem('form-linked', `Form ${formatActionId(id)} is used by ${linkNames}.`, { links })
  }
}
