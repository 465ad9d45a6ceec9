import type { Context } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { registerDefinitionWrites } from '../../http/resource/definition-writes.ts'
import { type Resource, registerResource } from '../../http/resource/resource.ts'
import { wantsStrict } from '../../http/validation/validation.ts'
import { readIntId } from '../../lib/ids.ts'
import { Flaws } from '../../scripting/flaw-schemas.ts'
import { webtaskRule } from '../script-host/live-scripts.ts'
import { showWebtask } from './documents.ts'
import { WEBTASKS } from './paths.ts'
import { listWebtasks, loadWebtask, lockWebtask } from './stored.ts'
import { deleteWebtask } from './webtask-links.ts'
import { CheckBody, Webtask, WebtaskBody, WebtaskQuery } from './webtask-schemas.ts'
import { changeWebtask, checkWebtask, createWebtask } from './webtasks.ts'

const FLAWED = 'Flaws with which it could not run are in "flaws", and nothing is stored.'

type WebtaskResource = Resource<number, WebtaskBody, Webtask>

const resource: WebtaskResource = {
  path: WEBTASKS,
  tag: 'webtasks',
  name: 'webtask',
  readId: readIntId,
  schema: { shown: Webtask, body: WebtaskBody, query: WebtaskQuery },
  async *list(db, account, page, { query }) {
    const { name } = query as { name?: string }
    for await (const row of listWebtasks(db, account, { ...page, name })) yield showWebtask(row)
  },
  read: async (db, account, id) => showWebtask(await loadWebtask(db, { account, id })),
  remove: (db, account, id) => deleteWebtask(db, { account, id }),
  lock: (tx, account, id) => lockWebtask(tx, { account, id }),
  live: webtaskRule,
}

/** Webtasks as a resource. */
export function webtaskRoutes(app: App, context: Context): void {
  registerResource(app, context.db, resource)
  registerDefinitionWrites(app, context.db, {
    ...{ resource, description: FLAWED, show: showWebtask },
    create: (db, account, body, writer) => createWebtask({ ...context, db }, account, body, writer),
    change: (tx, key, given, options) => changeWebtask({ ...context, db: tx }, key, given, options),
  })
  app.post(`${WEBTASKS}/flaws`, {
    config: { right: 'read' },
    schema: {
      tags: ['webtasks'],
      summary: 'find what is wrong with a webtask before it is stored',
      description: 'Nothing is stored or run. A write with flaws that are errors is refused.',
      ...{ body: CheckBody, response: { 200: Flaws } },
    },
    handler: ({ account, body, headers }) =>
      checkWebtask(context, account, body, { strict: wantsStrict(headers.prefer) }),
  })
}
