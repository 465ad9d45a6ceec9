import type { ServiceContext } from '../../context.ts'
import type { HttpApp } from '../../http/app-type.ts'
import { registerDefinitionWrites } from '../../http/resource/definition-writes.ts'
import { type RestResource, registerResource } from '../../http/resource/resource.ts'
import { isStrictPreferred } from '../../http/validation/validation.ts'
import { parseInt32Id } from '../../lib/ids.ts'
import { DefinitionFlaws } from '../../scripting/flaw-schemas.ts'
import { liveWebtaskRule } from '../script-host/live-scripts.ts'
import { showWebtask } from './documents.ts'
import { WEBTASKS_PATH } from './paths.ts'
import { listWebtasks, loadWebtask, lockWebtask, type StoredWebtask } from './stored.ts'
import { deleteWebtask } from './webtask-links.ts'
import {
  WebtaskBody,
  WebtaskCheckBody,
  WebtaskDocument,
  WebtaskQuery,
  webtaskRefusals,
  webtaskWriteRefusals,
} from './webtask-schemas.ts'
import { changeWebtask, checkWebtask, createWebtask } from './webtasks.ts'

const FLAWED_DESCRIPTION = 'Flaws with which it could not run are in "flaws", and nothing is stored.'

type WebtaskResource = RestResource<number, WebtaskBody, WebtaskDocument, StoredWebtask> & {
  show(webtask: StoredWebtask): WebtaskDocument
}

/** Webtasks as a resource: what their operations share. */
const webtaskResource: WebtaskResource = {
  path: WEBTASKS_PATH,
  tag: 'webtasks',
  name: 'webtask',
  readId: parseInt32Id,
  schema: { shown: WebtaskDocument, body: WebtaskBody, query: WebtaskQuery },
  operations: {
    list: { refusals: webtaskRefusals },
    create: { refusals: webtaskWriteRefusals },
    read: { refusals: webtaskRefusals },
    update: { refusals: webtaskWriteRefusals },
    patch: { refusals: webtaskWriteRefusals },
    remove: { refusals: webtaskWriteRefusals },
  },
  async *list(db, account, page, { query }) {
    const { name } = query as { name?: string }
    for await (const row of listWebtasks(db, account, { ...page, name })) yield showWebtask(row)
  },
  read: async (db, account, id) => showWebtask(await loadWebtask(db, { account, id })),
  remove: deleteWebtask,
  lock: (tx, account, id) => lockWebtask(tx, { account, id }),
  show: showWebtask,
  live: liveWebtaskRule,
}

/** Webtasks as a resource. */
export function webtaskRoutes(app: HttpApp, context: ServiceContext): void {
  registerResource(app, context.db, webtaskResource)
  registerDefinitionWrites(app, context.db, {
    resource: webtaskResource,
    description: FLAWED_DESCRIPTION,
    create: (db, account, body, writer) => createWebtask({ ...context, db }, account, body, writer),
    change: (tx, { stored }, body, options) => changeWebtask({ ...context, db: tx }, stored, body, options),
  })
  app.post(`${WEBTASKS_PATH}/flaws`, {
    config: { right: 'read' },
    schema: {
      tags: ['webtasks'],
      summary: 'find what is wrong with a webtask before it is stored',
      operationId: 'checkWebtask',
      refusals: webtaskWriteRefusals,
      description: 'Nothing is stored or run. A write with flaws that are errors is refused.',
      body: WebtaskCheckBody,
      response: { 200: DefinitionFlaws },
    },
    handler: ({ account, body, headers }) =>
      checkWebtask(context, account, body, { strict: isStrictPreferred(headers.prefer) }),
  })
}
