import { useState } from 'react'
import { type ApiAction, sendActionTest } from '../action.ts'
import { SendTestForm } from '../phones/SendTestForm.tsx'
import { TestVersionField } from '../versions/TestVersionField.tsx'
import type { MessageTestProps } from '../write/channel.ts'

/** Proofs of an SMS: to a test segment, or to a number of one's own. */
export function SmsTest({ message, onDone }: MessageTestProps<ApiAction>) {
  const [testVersion, setVersion] = useState<string | null>(null)
  return (
    <SendTestForm
      takes={['number']}
      isReady={({ segment, number }) => segment !== null || number.trim() !== ''}
      send={async ({ segment, number }) => {
        await sendActionTest(message, {
          ...(segment !== null && { testSegments: [segment] }),
          ...(number.trim() !== '' && { mediaForTest: number.trim() }),
          ...(testVersion !== null && { version: testVersion }),
        })
        await onDone()
        return undefined
      }}
    >
      {() => <TestVersionField message={message} value={testVersion} onChange={setVersion} others="everyVersion" />}
    </SendTestForm>
  )
}
