import { useState } from 'react'
import { api, data } from '../../../api/client.ts'
import { SendTest } from '../phones/SendTest.tsx'
import { VersionChoice } from '../versions/VersionChoice.tsx'
import type { TestProps } from '../write/channel.ts'
import type { RcsAction } from './rcs-kind.ts'

/** Proofs of a rich message: to a contact, to a test segment; all of them to one's own phone where that is given. */
export function RcsTest({ message, onDone }: TestProps<RcsAction>) {
  const [version, setVersion] = useState<string | null>(null)
  const { id } = message
  return (
    <SendTest
      takes={['contact', 'number']}
      isReady={({ contact, segment }) => contact !== null || segment !== null}
      send={async ({ contact, segment, number }) => {
        const results = await data(
          api.POST('/channel/rcs/actions/{id}/proof', {
            params: { path: { id: String(id) } },
            body: {
              ...(contact && { recipient: { type: 'id' as const, value: contact } }),
              ...(segment !== null && { testSegments: [segment] }),
              ...(number.trim() !== '' && { mediaForTest: number.trim() }),
              ...(version !== null && { version }),
            },
          }),
        )
        await onDone()
        return results
      }}
    >
      {() => <VersionChoice message={message} value={version} onChange={setVersion} others="ownOfCampaign" />}
    </SendTest>
  )
}
