import { Type } from 'typebox'
import type { ServiceContext } from '../../../context.ts'
import type { HttpApp } from '../../../http/app-type.ts'
import { readDropPlace } from './drop-places.ts'

const DropPlaceResponse = Type.Object({
  place: Type.Union(
    [
      Type.Object({
        kind: Type.Enum(['directory', 'sftp'], { description: 'what kind of thing it is' }),
        address: Type.String({ description: 'a path of the machine, or sftp://name@host:port/path' }),
      }),
      Type.Null(),
    ],
    { description: 'where files are pulled from; null: nowhere' },
  ),
})

/** Route of the place from which imports of an account pull their files. Operators set it on the command line. */
export function dropPlaceRoutes(app: HttpApp, { db }: ServiceContext): void {
  app.get('/settings/dropPlace', {
    config: { right: 'write' },
    schema: {
      tags: ['imports'],
      summary: 'where imports with the source ftp pull their files from; null: nowhere yet',
      operationId: 'getDropPlace',
      response: { 200: DropPlaceResponse },
    },
    handler: async ({ account }) => ({ place: (await readDropPlace(db, account)) ?? null }),
  })
}
