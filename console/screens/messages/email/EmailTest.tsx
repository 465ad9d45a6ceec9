import { Button, Checkbox, MultiSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useSegments } from '../../../api/definitions.ts'
import { useCurrentUser } from '../../../api/me.ts'
import { NestedForm } from '../../../components/form/NestedForm.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { useAsyncAction } from '../../../components/use-act.ts'
import { useTranslator } from '../../../text/catalogue.ts'
import { type ApiAction, sendActionTest } from '../action.ts'
import { MessageFindings } from '../MessageFindings.tsx'
import { TestVersionField } from '../versions/TestVersionField.tsx'
import type { MessageTestProps } from '../write/channel.ts'
import { emailTexts } from './texts.ts'

/** Proofs to an address, to the contacts of test segments, or of those to that address. */
export function EmailTest({ message, onDone }: MessageTestProps<ApiAction>) {
  const t = useTranslator(emailTexts)
  const { person } = useCurrentUser()
  const segments = useSegments()
  const [address, setAddress] = useState(person.email)
  const [chosen, setChosen] = useState<string[]>([])
  const [version, setVersion] = useState<string | null>(null)
  const [isAnalysed, setAnalysed] = useState(true)
  const tests = (segments.data ?? []).filter(({ isTest }) => isTest)
  const test = useAsyncAction(async () => {
    await sendActionTest(message.id, {
      mediaForTest: address.trim() || null,
      ...(chosen.length > 0 && { testSegments: chosen.map(Number) }),
      ...(version !== null && { version }),
      campaignAnalyser: isAnalysed,
    })
    await onDone()
  })
  const isReady = address.trim() !== '' || chosen.length > 0
  return (
    <NestedForm label={t('testSend')} onSubmit={() => void test.run()} isDisabled={!isReady}>
      <TextInput
        maw={560}
        type="email"
        label={t('testAddress')}
        description={t('testAddressWhy')}
        value={address}
        onChange={(event) => setAddress(event.currentTarget.value)}
      />
      {tests.length > 0 && (
        <MultiSelect
          maw={560}
          searchable={tests.length > 8}
          label={t('testSegments')}
          description={t('testSegmentsWhy')}
          data={tests.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={chosen}
          onChange={setChosen}
        />
      )}
      <TestVersionField message={message} value={version} onChange={setVersion} others="everyVersion" />
      <Checkbox
        label={t('analyse')}
        checked={isAnalysed}
        onChange={(event) => setAnalysed(event.currentTarget.checked)}
      />
      {test.error !== null && <ProblemAlert error={test.error} />}
      <div>
        <Button loading={test.isBusy} disabled={!isReady} onClick={() => void test.run()}>
          {t('testSend')}
        </Button>
      </div>
      <MessageFindings message={message} />
    </NestedForm>
  )
}
