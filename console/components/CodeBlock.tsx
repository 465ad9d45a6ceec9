import { useTranslator } from '../text/catalogue.ts'
import styles from './CodeBlock.module.css'
import { CopyButton } from './CopyButton.tsx'
import { componentTexts } from './texts.ts'

/** Text for machines, to read and to copy: a record, a snippet, a command. Editors are CodeMirror's. */
export function CodeBlock({ code, label, wrap = false }: { code: string; label: string; wrap?: boolean }) {
  const t = useTranslator(componentTexts)
  return (
    <figure className={styles['block']}>
      <figcaption>
        <small>{label}</small>
        <CopyButton value={code} label={t('copy')} />
      </figcaption>
      <pre tabIndex={0} data-wrap={wrap || undefined}>
        <code>{code}</code>
      </pre>
    </figure>
  )
}
