import { Button, Checkbox, MultiSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useSegments } from '../../../api/definitions.ts'
import { useCurrentUser } from '../../../api/me.ts'
import { NestedForm } from '../../../components/form/NestedForm.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { useAsyncAction } from '../../../components/use-act.ts'
import { useTranslator } from '../../../text/catalogue.ts'
import { type ApiAction, sendActionTest } from '../action.ts'
import { TestVersionField } from '../versions/TestVersionField.tsx'
import type { MessageTestProps } from '../write/channel.ts'
import { emailTexts } from './texts.ts'

/** Proofs to an address, to the contacts of test segments, or of those to that address. */
export function EmailTest({ message, onDone }: MessageTestProps<ApiAction>) {
  const t = useTranslator(emailTexts)
  const { person } = useCurrentUser()
  const segments = useSegments()
  const [testAddress, setAddress] = useState(person.email)
  const [chosenSegments, setChosen] = useState<string[]>([])
  const [testVersion, setVersion] = useState<string | null>(null)
  const [isAnalysed, setAnalysed] = useState(true)
  const availableSegments = (segments.data ?? []).filter(({ isTest }) => isTest)
  const sendTest = useAsyncAction(async () => {
    await sendActionTest(message, {
      mediaForTest: testAddress.trim() || null,
      ...(chosenSegments.length > 0 && { testSegments: chosenSegments.map(Number) }),
      ...(testVersion !== null && { version: testVersion }),
      campaignAnalyser: isAnalysed,
    })
    await onDone()
  })
  const isReady = testAddress.trim() !== '' || chosenSegments.length > 0
  return (
    <NestedForm label={t('testSend')} onSubmit={() => void sendTest.run()} isDisabled={!isReady}>
      <TextInput
        maw={560}
        type="email"
        label={t('testAddress')}
        description={t('testAddressWhy')}
        value={testAddress}
        onChange={(event) => setAddress(event.currentTarget.value)}
      />
      {availableSegments.length > 0 && (
        <MultiSelect
          maw={560}
          searchable={availableSegments.length > 8}
          label={t('testSegments')}
          description={t('testSegmentsWhy')}
          data={availableSegments.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={chosenSegments}
          onChange={setChosen}
        />
      )}
      <TestVersionField message={message} value={testVersion} onChange={setVersion} others="everyVersion" />
      <Checkbox
        label={t('analyse')}
        checked={isAnalysed}
        onChange={(event) => setAnalysed(event.currentTarget.checked)}
      />
      {sendTest.error !== null && <ProblemAlert error={sendTest.error} />}
      <div>
        <Button loading={sendTest.isBusy} disabled={!isReady} onClick={() => void sendTest.run()}>
          {t('testSend')}
        </Button>
      </div>
    </NestedForm>
  )
}
