import { Button, Checkbox, MultiSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useSegments } from '../../../api/definitions.ts'
import { useMe } from '../../../api/me.ts'
import { InnerForm } from '../../../components/form/InnerForm.tsx'
import { Problem } from '../../../components/layout/Problem.tsx'
import { useAct } from '../../../components/use-act.ts'
import { useText } from '../../../text/catalogue.ts'
import { type Action, testAction } from '../action.ts'
import { Findings } from '../Findings.tsx'
import { VersionChoice } from '../versions/VersionChoice.tsx'
import type { TestProps } from '../write/channel.ts'
import { emailTexts } from './texts.ts'

/** Proofs to an address, to the contacts of test segments, or of those to that address. */
export function Test({ message, onDone }: TestProps<Action>) {
  const t = useText(emailTexts)
  const { person } = useMe()
  const segments = useSegments()
  const [address, setAddress] = useState(person.email)
  const [chosen, setChosen] = useState<string[]>([])
  const [version, setVersion] = useState<string | null>(null)
  const [isAnalysed, setAnalysed] = useState(true)
  const tests = (segments.data ?? []).filter(({ isTest }) => isTest)
  const test = useAct(async () => {
    await testAction(message.id, {
      mediaForTest: address.trim() || null,
      ...(chosen.length > 0 && { testSegments: chosen.map(Number) }),
      ...(version !== null && { version }),
      campaignAnalyser: isAnalysed,
    })
    await onDone()
  })
  const isReady = address.trim() !== '' || chosen.length > 0
  return (
    <InnerForm label={t('testSend')} onSubmit={() => void test.run()} isDisabled={!isReady}>
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
      <VersionChoice message={message} value={version} onChange={setVersion} others="everyVersion" />
      <Checkbox
        label={t('analyse')}
        checked={isAnalysed}
        onChange={(event) => setAnalysed(event.currentTarget.checked)}
      />
      {test.error !== null && <Problem error={test.error} />}
      <div>
        <Button loading={test.isBusy} disabled={!isReady} onClick={() => void test.run()}>
          {t('testSend')}
        </Button>
      </div>
      <Findings message={message} />
    </InnerForm>
  )
}
