import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslator } from '../../text/catalogue.ts'
import { componentTexts } from '../texts.ts'
import styles from './ScreenPage.module.css'

export interface PageTab {
  label: string
  /** Its path within the account; or, of a tab that is a part of the address's search, that search. */
  to: string
  search?: Record<string, unknown>
  isOpen: boolean
  count?: number
}

interface Props {
  title: string
  /** Parent list, if the page shows one of many objects. */
  parent?: { label: string; to: string }
  /** The state as a badge with its word. */
  badge?: ReactNode
  /** The one main action. */
  action?: ReactNode
  /** The rest: items of a menu. */
  menu?: ReactNode
  tabs?: readonly PageTab[]
  /** Small text below the title: the last change and its author, or a description. */
  note?: ReactNode
  children?: ReactNode
}

/** A screen: title, state, one main action, the rest in a menu, tabs where parts are used apart. */
export function ScreenPage({ title, parent, badge, action, menu, tabs, note, children }: Props) {
  const t = useTranslator(componentTexts)
  useEffect(() => {
    document.title = `${title} · Stentor`
  }, [title])
  return (
    <div className={styles['page']}>
      <header className={styles['head']}>
        <div className={styles['words']}>
          {parent && (
            <Link to={parent.to} className={styles['parent']}>
              {parent.label}
            </Link>
          )}
          <div className={styles['title']}>
            <h1>{title}</h1>
            {badge}
          </div>
          {note && <small>{note}</small>}
        </div>
        <div className={styles['actions']}>
          {action}
          {menu && (
            <Menu width={220}>
              <Menu.Target>
                <ActionIcon aria-label={t('actions')} variant="default">
                  <IconDots size={18} />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>{menu}</Menu.Dropdown>
            </Menu>
          )}
        </div>
      </header>
      {tabs && tabs.length > 0 && <PageTabs tabs={tabs} label={title} />}
      <div className={styles['body']}>{children}</div>
    </div>
  )
}

function PageTabs({ tabs, label }: { tabs: readonly PageTab[]; label: string }) {
  const row = useRef<HTMLElement>(null)
  const openIndex = tabs.findIndex(({ isOpen }) => isOpen)
  // On a narrow page the open one may be beyond the edge.
  useEffect(() => {
    const openTab = row.current?.children[openIndex]
    if (row.current && openTab instanceof HTMLElement)
      row.current.scrollLeft = openTab.offsetLeft - row.current.offsetLeft - 40
  }, [openIndex])
  const tabCount = tabs.length
  // The edge fades while there is more beyond it.
  useEffect(() => {
    const element = row.current
    if (!element) return
    const measure = (): void =>
      void element.toggleAttribute(
        'data-more',
        tabCount > 0 && element.scrollWidth - element.clientWidth - element.scrollLeft > 4,
      )
    const resizeObserver = new ResizeObserver(measure)
    resizeObserver.observe(element)
    element.addEventListener('scroll', measure, { passive: true })
    return () => {
      resizeObserver.disconnect()
      element.removeEventListener('scroll', measure)
    }
  }, [tabCount])
  return (
    <nav ref={row} className={styles['tabs']} aria-label={label}>
      {tabs.map(({ label: words, to, search, isOpen, count }) => (
        <Link
          key={words}
          to={to}
          {...(search && { search: search as never })}
          activeOptions={{ exact: true }}
          aria-current={isOpen ? 'page' : undefined}
        >
          {words}
          {count !== undefined && <span className={styles['count']}>{count}</span>}
        </Link>
      ))}
    </nav>
  )
}
