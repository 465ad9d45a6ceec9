import { useState } from 'react'
import { type Action, testAction } from '../action.ts'
import { Findings } from '../Findings.tsx'
import { SendTest } from '../phones/SendTest.tsx'
import { VersionChoice } from '../versions/VersionChoice.tsx'
import type { TestProps } from '../write/channel.ts'

/** Proofs of an SMS: to a test segment, or to a number of one's own. */
export function SmsTest({ message, onDone }: TestProps<Action>) {
  const [version, setVersion] = useState<string | null>(null)
  return (
    <>
      <SendTest
        takes={['number']}
        isReady={({ segment, number }) => segment !== null || number.trim() !== ''}
        send={async ({ segment, number }) => {
          await testAction(message.id, {
            ...(segment !== null && { testSegments: [segment] }),
            ...(number.trim() !== '' && { mediaForTest: number.trim() }),
            ...(version !== null && { version }),
          })
          await onDone()
          return undefined
        }}
      >
        {() => <VersionChoice message={message} value={version} onChange={setVersion} others="everyVersion" />}
      </SendTest>
      <Findings message={message} />
    </>
  )
}
