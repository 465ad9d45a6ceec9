import { Button, Select, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useSegments } from '../../../api/definitions.ts'
import { ContactField } from '../../../components/ContactField.tsx'
import { NestedForm } from '../../../components/form/NestedForm.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { useAsyncAction } from '../../../components/use-act.ts'
import { useTranslator } from '../../../text/catalogue.ts'
import styles from './Phones.module.css'
import { phonesTexts } from './texts.ts'

/** To whom a proof is sent. */
export interface MessageTestTarget {
  /** Its id. */
  contact: string | null
  segment: number | null
  /** A number that the proofs go to instead; empty: none. */
  number: string
}

/** Result of a test send, if the service reports one. */
export interface MessageTestResult {
  type: string
  value?: { type: string; message?: string }
}

interface Props {
  /** Recipients that can be entered in addition to a test segment. */
  takes: readonly ('contact' | 'number')[]
  isReady(testTarget: MessageTestTarget): boolean
  /** Answers what became of each proof; nothing where the service tests by itself. */
  send(testTarget: MessageTestTarget): Promise<readonly MessageTestResult[] | undefined>
  /** Additional choices below the contact. */
  children?(testTarget: MessageTestTarget): ReactNode
}

function TestResults({ results }: { results: readonly MessageTestResult[] }) {
  const t = useTranslator(phonesTexts)
  const refusals = results.flatMap(({ value }) => value ?? [])
  return (
    <ul className={styles['results']} role="status">
      <li>{t('proofs', { count: results.length - refusals.length })}</li>
      {refusals.map(({ type, message }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: proofs have no name but their place.
        <li key={place}>{t('notSent', { reason: message ?? type })}</li>
      ))}
    </ul>
  )
}

/** Sends proofs: to a contact, to a test segment, to a phone of one's own. */
export function SendTestForm({ takes, isReady, send, children }: Props) {
  const t = useTranslator(phonesTexts)
  const [testTarget, setTarget] = useState<MessageTestTarget>({ contact: null, segment: null, number: '' })
  const [testResults, setResults] = useState<readonly MessageTestResult[] | undefined | null>(null)
  const testSegments = (useSegments().data ?? []).filter(({ isTest }) => isTest)
  const changeTarget = (part: Partial<MessageTestTarget>): void => setTarget((before) => ({ ...before, ...part }))
  const { error, isBusy, run } = useAsyncAction(async () => {
    setResults(null)
    setResults(await send(testTarget))
  })
  return (
    <NestedForm
      label={t('sendProof')}
      className={styles['part']}
      onSubmit={() => void run()}
      isDisabled={!isReady(testTarget) || isBusy}
    >
      <small>{t('saveFirst')}</small>
      {takes.includes('contact') && (
        <ContactField
          label={t('testContact')}
          value={testTarget.contact}
          onChange={(contact) => changeTarget({ contact })}
        />
      )}
      {children?.(testTarget)}
      <Select
        maw={560}
        clearable
        searchable={testSegments.length > 8}
        label={t('segment')}
        {...(testSegments.length === 0 && { description: t('noTestSegment') })}
        data={testSegments.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={testTarget.segment === null ? null : String(testTarget.segment)}
        onChange={(next) => changeTarget({ segment: next === null ? null : Number(next) })}
      />
      {takes.includes('number') && (
        <TextInput
          maw={320}
          type="tel"
          label={t('another')}
          description={t('anotherHelp')}
          value={testTarget.number}
          onChange={(event) => changeTarget({ number: event.currentTarget.value })}
        />
      )}
      {error !== null && <ProblemAlert error={error} />}
      {testResults && <TestResults results={testResults} />}
      {testResults === undefined && <p role="status">{t('testStarted')}</p>}
      <div>
        <Button variant="default" loading={isBusy} disabled={!isReady(testTarget)} onClick={() => void run()}>
          {t('sendProof')}
        </Button>
      </div>
    </NestedForm>
  )
}
