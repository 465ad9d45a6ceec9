import { Button, Select, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useSegments } from '../../../api/definitions.ts'
import { NestedForm } from '../../../components/form/NestedForm.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { useAsyncAction } from '../../../components/use-act.ts'
import { useTranslator } from '../../../text/catalogue.ts'
import { PreviewContactField } from '../PreviewContactField.tsx'
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

/** What became of a proof, where the service says so. */
export interface MessageTestResult {
  type: string
  value?: { type: string; message?: string }
}

interface Props {
  /** What may be named beside a test segment. */
  takes: readonly ('contact' | 'number')[]
  isReady(target: MessageTestTarget): boolean
  /** Answers what became of each proof; nothing where the service tests by itself. */
  send(target: MessageTestTarget): Promise<readonly MessageTestResult[] | undefined>
  /** What else is chosen, below the contact. */
  children?(target: MessageTestTarget): ReactNode
}

function Results({ results }: { results: readonly MessageTestResult[] }) {
  const t = useTranslator(phonesTexts)
  const refused = results.flatMap(({ value }) => value ?? [])
  return (
    <ul className={styles['results']} role="status">
      <li>{t('proofs', { count: results.length - refused.length })}</li>
      {refused.map(({ type, message }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: proofs have no name but their place.
        <li key={place}>{t('notSent', { reason: message ?? type })}</li>
      ))}
    </ul>
  )
}

/** Sends proofs: to a contact, to a test segment, to a phone of one's own. */
export function SendTestForm({ takes, isReady, send, children }: Props) {
  const t = useTranslator(phonesTexts)
  const [target, setTarget] = useState<MessageTestTarget>({ contact: null, segment: null, number: '' })
  const [results, setResults] = useState<readonly MessageTestResult[] | undefined | null>(null)
  const segments = (useSegments().data ?? []).filter(({ isTest }) => isTest)
  const change = (part: Partial<MessageTestTarget>): void => setTarget((before) => ({ ...before, ...part }))
  const { error, isBusy, run } = useAsyncAction(async () => {
    setResults(null)
    setResults(await send(target))
  })
  return (
    <NestedForm
      label={t('sendProof')}
      className={styles['part']}
      onSubmit={() => void run()}
      isDisabled={!isReady(target) || isBusy}
    >
      <small>{t('saveFirst')}</small>
      {takes.includes('contact') && (
        <PreviewContactField value={target.contact} onChange={(contact) => change({ contact })} />
      )}
      {children?.(target)}
      <Select
        maw={560}
        clearable
        searchable={segments.length > 8}
        label={t('segment')}
        {...(segments.length === 0 && { description: t('noTestSegment') })}
        data={segments.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={target.segment === null ? null : String(target.segment)}
        onChange={(next) => change({ segment: next === null ? null : Number(next) })}
      />
      {takes.includes('number') && (
        <TextInput
          maw={320}
          type="tel"
          label={t('another')}
          description={t('anotherHelp')}
          value={target.number}
          onChange={(event) => change({ number: event.currentTarget.value })}
        />
      )}
      {error !== null && <ProblemAlert error={error} />}
      {results && <Results results={results} />}
      {results === undefined && <p role="status">{t('testStarted')}</p>}
      <div>
        <Button variant="default" loading={isBusy} disabled={!isReady(target)} onClick={() => void run()}>
          {t('sendProof')}
        </Button>
      </div>
    </NestedForm>
  )
}
