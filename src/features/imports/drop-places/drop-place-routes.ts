import { Type } from 'typebox'
import type { ServiceContext } from '../../../context.ts'
import type { HttpApp } from '../../../http/app-type.ts'
import { readDropPlace } from './drop-places.ts'

const DropPlaceResponse = Type.Object({
  place: Type.Union(
    [
      Type.Object({
        kind: Type.Enum(['directory', 'sftp'], {
          description: 'Type of the place. `directory`: a directory of the server. `sftp`: an SFTP server.',
        }),
        address: Type.String({
          description:
            'Path of the directory, or address of the server as `sftp://name@host:port/path`, without ' +
            'credentials.',
        }),
      }),
      Type.Null(),
    ],
    { description: 'Place that files are pulled from. Null: none is set.' },
  ),
})

/** Route of the place from which imports of an account pull their files. Operators set it on the command line. */
export function dropPlaceRoutes(app: HttpApp, { db }: ServiceContext): void {
  app.get('/settings/dropPlace', {
    config: { right: 'write' },
    schema: {
      tags: ['imports'],
      summary: 'Get the drop place',
      description:
        'Returns the place from which imports with the source type `ftp` pull their files. An operator ' +
        'sets it on the command line.',
      operationId: 'getDropPlace',
      response: { 200: DropPlaceResponse },
    },
    handler: async ({ account }) => ({ place: (await readDropPlace(db, account)) ?? null }),
  })
}
