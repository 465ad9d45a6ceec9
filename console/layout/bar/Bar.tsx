import { Link, useRouterState } from '@tanstack/react-router'
import { useHasRight } from '../../api/me.ts'
import type { ApiRight } from '../../api/shapes.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { layoutTexts } from '../texts.ts'
import styles from './Bar.module.css'
import { AccountMenu, UserMenu } from './BarMenus.tsx'
import { type NavigationSection, navigationSections } from './navigation.ts'
import { ProductLogo } from './ProductLogo.tsx'

function useIsWithin(): (to: string) => boolean {
  const path = useRouterState({ select: ({ location }) => location.pathname })
  return (to) => (to === '/' ? path === '/' : path === to || path.startsWith(`${to}/`))
}

interface PartProps {
  to: string
  label: string
  right?: ApiRight | undefined
  /** Other paths that belong to it. */
  also?: readonly string[] | undefined
}

function Part({ to, label, right = 'read', also = [] }: PartProps) {
  const may = useHasRight(right)
  const isWithin = useIsWithin()
  if (!may) return null
  return (
    <li>
      <Link to={to} className={styles['part']} aria-current={[to, ...also].some(isWithin) ? 'page' : undefined}>
        {label}
      </Link>
    </li>
  )
}

function SectionItem({
  section: { key, to, icon: SectionIcon, parts = [] },
  onGo,
}: {
  section: NavigationSection
  onGo?: () => void
}) {
  const t = useTranslator(layoutTexts)
  const isWithin = useIsWithin()
  const isOpen = isWithin(to) || parts.some((part) => [part.to, ...(part.also ?? [])].some(isWithin))
  return (
    <li onClick={onGo}>
      <Link
        to={to}
        className={styles['section']}
        data-open={isOpen || undefined}
        data-here={(isWithin(to) && !parts.some((part) => isWithin(part.to))) || undefined}
        title={t(key)}
      >
        <SectionIcon size={18} stroke={1.6} aria-hidden />
        <span className={styles['label']}>{t(key)}</span>
      </Link>
      {isOpen && parts.length > 0 && (
        <ul className={styles['parts']}>
          {parts.map((part) => (
            <Part key={part.to} to={part.to} label={t(part.key)} right={part.right} also={part.also} />
          ))}
        </ul>
      )}
    </li>
  )
}

/** What stands in the left bar, and in the sheet that it is on a phone. */
export function SidebarContent({ onGo }: { onGo?: () => void }) {
  const t = useTranslator(layoutTexts)
  return (
    <div className={styles['content']}>
      <Link to="/" className={styles['brand']} onClick={onGo} aria-label={`Stentor, ${t('home')}`}>
        <ProductLogo size={24} />
        <span className={styles['label']}>Stentor</span>
      </Link>
      <nav aria-label={t('navigation')} className={styles['nav']}>
        <ul>
          {navigationSections.map((section) => (
            <SectionItem key={section.key} section={section} {...(onGo && { onGo })} />
          ))}
        </ul>
      </nav>
      <div className={styles['foot']}>
        <AccountMenu />
        <UserMenu />
      </div>
    </div>
  )
}
