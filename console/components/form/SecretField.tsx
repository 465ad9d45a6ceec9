import { Button, FileButton, Textarea } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslator } from '../../text/catalogue.ts'
import { componentTexts } from '../texts.ts'
import { readPointerValue } from './pointers.ts'
import type { FormState } from './use-form.ts'

interface Props<T> {
  form: FormState<T>
  at: string
  label: string
  help?: ReactNode
  /** Something is kept already: left empty, it stays. */
  isKept: boolean
  /** Fingerprint that identifies the stored secret. */
  fingerprint?: string | null | undefined
  /** It may be taken from a file: as text, or as the base64 of its bytes. */
  file?: 'text' | 'base64'
  isReadOnly?: boolean
}

async function readFile(file: File, as: 'text' | 'base64'): Promise<string> {
  if (as === 'text') return file.text()
  const fileBytes = new Uint8Array(await file.arrayBuffer())
  return btoa(Array.from(fileBytes, (byte) => String.fromCharCode(byte)).join(''))
}

/** A write-only value: an empty field retains the stored one. */
export function SecretField<T>(props: Props<T>) {
  const { form, at, label, help, isKept, fingerprint, file, isReadOnly = false } = props
  const t = useTranslator(componentTexts)
  const value = readPointerValue(form.value, at)
  if (isReadOnly) return null
  const storedNotice = fingerprint ? t('secretKeptAs', { fingerprint }) : t('secretKept')
  return (
    <div style={{ display: 'grid', gap: 6, maxWidth: 560 }}>
      <Textarea
        label={label}
        description={help}
        error={form.faultAt(at)}
        placeholder={isKept ? storedNotice : ''}
        autoComplete="off"
        spellCheck={false}
        autosize
        minRows={1}
        maxRows={6}
        value={typeof value === 'string' ? value : ''}
        onChange={(event) => form.set(at, event.currentTarget.value || null)}
      />
      {file && (
        <div>
          <FileButton
            onChange={(chosenFile) =>
              void (chosenFile && readFile(chosenFile, file).then((text) => form.set(at, text)))
            }
          >
            {(button) => (
              <Button {...button} size="compact-sm" variant="default">
                {t('fromFile')}
              </Button>
            )}
          </FileButton>
        </div>
      )}
    </div>
  )
}
