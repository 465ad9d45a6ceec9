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

const FLAWED_DESCRIPTION =
  'Refused with 400 if the script would have error flaws; `flaws` lists them and nothing is stored.'

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
    list: {
      summary: 'List the webtasks',
      description: 'Returns all webtasks with their scripts, by ascending ID.',
      refusals: webtaskRefusals,
    },
    create: {
      summary: 'Create a webtask',
      description:
        'Absent members take their defaults. Refused with 400 if the script has error flaws; `flaws` lists them and nothing is stored. Refused with 409 if the account has 1,000 webtasks. Capabilities of the script require the corresponding rights (403).',
      refusals: webtaskWriteRefusals,
    },
    read: {
      summary: 'Get a webtask',
      description: 'Returns the webtask with its script. Secrets are shown as `***`.',
      refusals: webtaskRefusals,
    },
    update: {
      summary: 'Update a webtask',
      description:
        'Absent members keep their values. The change applies from the next run on, also in active workflows. Refused with 400 if the script would have error flaws; `flaws` lists them and nothing is stored.',
      refusals: webtaskWriteRefusals,
    },
    patch: { summary: 'Patch a webtask', refusals: webtaskWriteRefusals },
    remove: {
      summary: 'Delete a webtask',
      description:
        'Deletes the webtask with its runs; its tokens stop working. Refused with 409 while active workflows use it or other webtasks import it; `links` lists them.',
      refusals: webtaskWriteRefusals,
    },
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
      summary: 'Check a webtask before saving',
      operationId: 'checkWebtask',
      refusals: webtaskWriteRefusals,
      description:
        'Returns the flaws of the given script and scripting object, without storing or running anything. A write that leaves flaws of severity `error` would be refused. An empty list: no flaws.',
      body: WebtaskCheckBody,
      response: { 200: DefinitionFlaws },
    },
    handler: ({ account, body, headers }) =>
      checkWebtask(context, account, body, { strict: isStrictPreferred(headers.prefer) }),
  })
}
