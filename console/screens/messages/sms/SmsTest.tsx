import { api, data } from '../../../api/client.ts'
import { SendTest } from '../phones/SendTest.tsx'
import type { TestProps } from '../write/channel.ts'
import type { SmsAction } from './sms-kind.ts'

/** Proofs of an SMS: to a test segment, or to a number of one's own. */
export function SmsTest({ message: { id }, onDone }: TestProps<SmsAction>) {
  return (
    <SendTest
      takes={['number']}
      isReady={({ segment, number }) => segment !== null || number.trim() !== ''}
      send={async ({ segment, number }) => {
        const body = {
          fortest: true,
          ...(segment !== null && { testSegments: [segment] }),
          ...(number.trim() !== '' && { mediaForTest: number.trim() }),
        }
        await data(api.POST('/actions/{id}/validation', { params: { path: { id } }, body }))
        await onDone()
        return undefined
      }}
    />
  )
}
