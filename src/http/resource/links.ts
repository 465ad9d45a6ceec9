import { Type } from 'typebox'
import type { Db } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { withArticle } from '../../lib/text/nouns.ts'
import type { HttpApp } from '../app-type.ts'
import { parseResourceId, ResourceIdParams, type RestResource } from './resource.ts'

/** Something that uses an object. */
const UsageLink = Type.Object({
  type: Type.String({
    description:
      'Type of the object, such as `action`, `rcs`, `notification`, `workflow`, `form`, `import`, `segment` or `field`.',
  }),
  id: Type.Union([Type.String(), Type.Integer()], { description: 'ID of the object, as in its own operations.' }),
  name: Type.String({ description: 'Name of the object.' }),
})

/** A resource whose objects may be used by others. */
type LinkedResource<Id extends string | number> = Pick<
  // biome-ignore lint/suspicious/noExplicitAny: of any body and any document.
  RestResource<Id, any, any>,
  'path' | 'tag' | 'name' | 'operations' | 'readId' | 'read'
>

/**
 * `GET …/{id}/links`: what a deletion of the object would name in its 409, by the function that it asks. `readLinks` throws
 * notFound for an unknown one.
 */
export function registerLinksRoute<Id extends string | number>(
  app: HttpApp,
  db: Db,
  resource: LinkedResource<Id>,
  links: (db: Db, account: AccountId, id: Id) => Promise<{ type: string; id: string | number; name: string }[]>,
): void {
  const { path, tag, name, operations, read: readLinks } = resource
  app.get(`${path}/:id/links`, {
    config: { right: 'read' },
    schema: {
      tags: [tag],
      summary: `List the uses of ${withArticle(name)}`,
      description: 'Returns the objects that prevent its deletion; a deletion with 409 lists the same ones.',
      ...operations?.links,
      params: ResourceIdParams,
      response: { 200: Type.Array(UsageLink) },
    },
    handler: async (request) => {
      const { account, params } = request
      const id = parseResourceId({ readId: resource.readId, name }, params.id)
      await readLinks?.(db, account, id, request)
      return links(db, account, id)
    },
  })
}
