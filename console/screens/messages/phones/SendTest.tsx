import { Button, Select, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useSegments } from '../../../api/definitions.ts'
import { InnerForm } from '../../../components/form/InnerForm.tsx'
import { Problem } from '../../../components/layout/Problem.tsx'
import { useAct } from '../../../components/use-act.ts'
import { useText } from '../../../text/catalogue.ts'
import { ContactChoice } from '../ContactChoice.tsx'
import styles from './Phones.module.css'
import { phonesTexts } from './texts.ts'

/** To whom a proof is sent. */
export interface Target {
  /** Its id. */
  contact: string | null
  segment: number | null
  /** A number that the proofs go to instead; empty: none. */
  number: string
}

/** What became of a proof, where the service says so. */
export interface ProofResult {
  type: string
  value?: { type: string; message?: string }
}

interface Props {
  /** What may be named beside a test segment. */
  takes: readonly ('contact' | 'number')[]
  isReady(target: Target): boolean
  /** Answers what became of each proof; nothing where the service tests by itself. */
  send(target: Target): Promise<readonly ProofResult[] | undefined>
  /** What else is chosen, below the contact. */
  children?(target: Target): ReactNode
}

function Results({ results }: { results: readonly ProofResult[] }) {
  const t = useText(phonesTexts)
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
export function SendTest({ takes, isReady, send, children }: Props) {
  const t = useText(phonesTexts)
  const [target, setTarget] = useState<Target>({ contact: null, segment: null, number: '' })
  const [results, setResults] = useState<readonly ProofResult[] | undefined | null>(null)
  const segments = (useSegments().data ?? []).filter(({ isTest }) => isTest)
  const change = (part: Partial<Target>): void => setTarget((before) => ({ ...before, ...part }))
  const { error, isBusy, run } = useAct(async () => {
    setResults(null)
    setResults(await send(target))
  })
  return (
    <InnerForm
      label={t('sendProof')}
      className={styles['part']}
      onSubmit={() => void run()}
      isDisabled={!isReady(target) || isBusy}
    >
      <small>{t('saveFirst')}</small>
      {takes.includes('contact') && (
        <ContactChoice value={target.contact} onChange={(contact) => change({ contact })} />
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
      {error !== null && <Problem error={error} />}
      {results && <Results results={results} />}
      {results === undefined && <p role="status">{t('testStarted')}</p>}
      <div>
        <Button variant="default" loading={isBusy} disabled={!isReady(target)} onClick={() => void run()}>
          {t('sendProof')}
        </Button>
      </div>
    </InnerForm>
  )
}
