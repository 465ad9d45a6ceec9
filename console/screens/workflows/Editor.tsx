import { ActionIcon, Button, Group, Menu, Tooltip } from '@mantine/core'
import {
  type Icon,
  IconArrowBackUp,
  IconArrowForwardUp,
  IconClipboard,
  IconCopy,
  IconPlus,
  IconSitemap,
  IconTrash,
} from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useMay } from '../../api/me.ts'
import { useShortcut } from '../../frame/keys.tsx'
import { tell } from '../../frame/toasts.tsx'
import { Empty } from '../../parts/Empty.tsx'
import { FormFrame } from '../../parts/form/FormFrame.tsx'
import { LongTextField, TextField } from '../../parts/form/fields.tsx'
import { type Form, type Stored, useForm } from '../../parts/form/use-form.ts'
import { Panel } from '../../parts/Panel.tsx'
import { useText } from '../../text/catalogue.ts'
import {
  type Definition,
  type Draft,
  draftOf,
  type Flaw,
  readWorkflow,
  useFlaws,
  useStatistics,
  writeWorkflow,
} from './calls.ts'
import { DRAGGED_TYPE } from './dragged.ts'
import { Graph } from './Graph.tsx'
import { added, connected, freshId, pasted, removed, type Step } from './model/graph.ts'
import { GROUPS, KINDS } from './model/kinds.ts'
import { NodePanel } from './NodePanel.tsx'
import { JsonField } from './settings-fields.tsx'
import { workflowTexts } from './texts.ts'
import { typeWords } from './type-words.ts'
import { useEditing } from './use-editing.ts'
import styles from './Workflows.module.css'

const route = getRouteApi('/workflows/$id')

/** Flaws by the node that they are at; those of listeners, tasks and capping are of none. */
function flawsByNode(flaws: readonly Flaw[] | undefined, nodes: readonly Step[]): Map<string, Flaw[]> {
  const by = new Map<string, Flaw[]>()
  for (const flaw of flaws ?? []) {
    const id = nodes[Number(/^\/nodes\/(\d+)/.exec(flaw.path)?.[1] ?? -1)]?.id
    if (id !== undefined) by.set(id, [...(by.get(id) ?? []), flaw])
  }
  return by
}

interface Acts {
  insert(type: string): void
  connect(from: string, at: string, to: string | null): void
  remove(ids: readonly string[]): void
  copy(): void
  paste(): void
}

/** What is done to the nodes, around what is selected. */
function useActs(form: Form<Draft>, selected: readonly string[], select: (ids: string[]) => void): Acts {
  const [copied, setCopied] = useState<readonly Step[]>([])
  const { nodes } = form.value
  const write = (steps: Step[]): void => form.change({ ...form.value, nodes: steps })
  return {
    insert: (type) => {
      const id = freshId(nodes, type)
      const settings = structuredClone(KINDS[type]?.blank ?? {})
      const step: Step = { type, id, settings, next: null, ...(nodes.length === 0 && { default: true }) }
      write(added(nodes, step, selected.at(-1)))
      select([id])
    },
    connect: (from, at, to) => write(connected(nodes, from, at, to)),
    remove: (ids) => {
      if (ids.length === 0) return
      write(removed(nodes, new Set(ids)))
      select([])
    },
    copy: () => setCopied(nodes.filter(({ id }) => selected.includes(id))),
    paste: () => {
      if (copied.length === 0) return
      const { steps, ids } = pasted(nodes, copied)
      write(steps)
      select(ids)
    },
  }
}

/** Types of nodes to add: dragged onto the drawing, or pressed. */
function Palette({ onInsert }: { onInsert(type: string): void }) {
  const t = useText(workflowTexts)
  return (
    <Menu position="bottom-start" width={260}>
      <Menu.Target>
        <Button size="xs" variant="default" leftSection={<IconPlus size={16} aria-hidden />}>
          {t('addNode')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={420} style={{ overflowY: 'auto' }}>
        {GROUPS.map((group) => (
          <div key={group}>
            <Menu.Label>{t(group)}</Menu.Label>
            {Object.keys(KINDS)
              .filter((type) => KINDS[type]?.group === group)
              .map((type) => (
                <Menu.Item
                  key={type}
                  draggable
                  onDragStart={(event) => event.dataTransfer.setData(DRAGGED_TYPE, type)}
                  onClick={() => onInsert(type)}
                >
                  {typeWords(t, type)}
                </Menu.Item>
              ))}
          </div>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function Tool({
  icon: Shape,
  label,
  onClick,
  isOff = false,
}: {
  icon: Icon
  label: string
  onClick(): void
  isOff?: boolean
}) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="default" aria-label={label} onClick={onClick} disabled={isOff}>
        <Shape size={17} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}

/** What the workflow is, and what starts and limits its runs: where no node is selected. */
function WholePanel({ form, isReadOnly }: { form: Form<Draft>; isReadOnly: boolean }) {
  const t = useText(workflowTexts)
  return (
    <Panel title={t('workflow')}>
      <div className={styles['fields']}>
        <TextField form={form} at="/name" label={t('name')} isReadOnly={isReadOnly} />
        <LongTextField form={form} at="/description" label={t('description')} isReadOnly={isReadOnly} rows={2} />
        {(['listeners', 'tasks', 'capping'] as const).map((part) => (
          <JsonField key={part} form={form} at={`/${part}`} label={t(part)} isReadOnly={isReadOnly} />
        ))}
      </div>
    </Panel>
  )
}

function useSelection(): [ids: string[], select: (ids: string[]) => void] {
  const { node } = route.useSearch()
  const navigate = route.useNavigate()
  const [many, setMany] = useState<string[]>([])
  const ids = useMemo(() => (many.length > 1 ? many : node === undefined ? [] : [node]), [many, node])
  const select = (next: string[]): void => {
    setMany(next)
    void navigate({ search: (before) => ({ ...before, node: next.at(-1) }), replace: true })
  }
  return [ids, select]
}

function useWorkflowForm(stored: Stored<Definition>): Form<Draft> {
  const t = useText(workflowTexts)
  const queries = useQueryClient()
  const id = String(stored.data.id)
  const drafted = (one: Stored<Definition>): Stored<Draft> => ({ data: draftOf(one.data), etag: one.etag })
  return useForm<Draft>({
    name: `workflow.${id}`,
    stored: useMemo(() => ({ data: draftOf(stored.data), etag: stored.etag }), [stored]),
    save: async (draft, etag) => {
      const next = await writeWorkflow(id, draft, etag)
      queries.setQueryData(['workflow', id], next)
      return drafted(next)
    },
    load: async () => drafted(await readWorkflow(id)),
    onSaved: () => {
      tell(t('saved'))
      void queries.invalidateQueries({ queryKey: ['workflows'] })
    },
  })
}

/** The graph with its tools, and beside it the settings of what is selected. */
export function Editor({ stored }: { stored: Stored<Definition> }) {
  const t = useText(workflowTexts)
  const isReadOnly = !useMay('write')
  const { form, undo, redo, canUndo, canRedo } = useEditing(useWorkflowForm(stored))
  const [selected, select] = useSelection()
  const [round, setRound] = useState(0)
  const id = String(stored.data.id)
  const flaws = useFlaws(id, stored.data.version)
  const statistics = useStatistics(id)
  const { nodes } = form.value
  const byNode = useMemo(() => flawsByNode(flaws.data, nodes), [flaws.data, nodes])
  const words = useMemo(
    () => new Map([...byNode].map(([node, all]) => [node, all.map(({ message }) => message).join(' ')])),
    [byNode],
  )
  const chosen = useMemo(() => new Set(selected), [selected])
  const acts = useActs(form, selected, select)
  const isOpen = !isReadOnly
  useShortcut('mod+z', t('undo'), (event) => (event.shiftKey ? redo() : undo()), isOpen)
  useShortcut('mod+y', t('redo'), redo, isOpen)
  useShortcut('l', t('layOut'), () => setRound(round + 1))
  const step = nodes.find((one) => one.id === selected.at(-1))
  return (
    <FormFrame form={form} pointers={[]}>
      {isOpen && (
        <Group gap={6} role="toolbar" aria-label={t('tools')}>
          <Palette onInsert={acts.insert} />
          <Tool icon={IconArrowBackUp} label={t('undo')} onClick={undo} isOff={!canUndo} />
          <Tool icon={IconArrowForwardUp} label={t('redo')} onClick={redo} isOff={!canRedo} />
          <Tool icon={IconCopy} label={t('copy')} onClick={acts.copy} isOff={selected.length === 0} />
          <Tool icon={IconClipboard} label={t('paste')} onClick={acts.paste} />
          <Tool icon={IconTrash} label={t('removeNode')} onClick={() => acts.remove(selected)} isOff={!step} />
          <Tool icon={IconSitemap} label={t('layOut')} onClick={() => setRound(round + 1)} />
        </Group>
      )}
      <div className={styles['editor']}>
        {nodes.length === 0 ? (
          <Empty title={t('noNodes')}>{t('noNodesWhy')}</Empty>
        ) : (
          <Graph
            steps={nodes}
            selected={chosen}
            flaws={words}
            statistics={statistics.data?.nodes}
            onSelect={select}
            round={round}
            {...(isOpen && { edit: acts })}
          />
        )}
        {step ? (
          <NodePanel
            key={step.id}
            workflow={id}
            form={form}
            step={step}
            flaws={byNode.get(step.id) ?? []}
            isReadOnly={isReadOnly}
          />
        ) : (
          <WholePanel form={form} isReadOnly={isReadOnly} />
        )}
      </div>
    </FormFrame>
  )
}
