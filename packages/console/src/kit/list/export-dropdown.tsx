import { Menu } from '@mantine/core'

import { useOpenOnMount } from '#kit/keyboard/first-use.tsx'
import { t } from '#text/index.ts'

import { type ExportFormat, FormatButton, type FormatButtonProps } from './export-button.tsx'

interface Props extends Pick<FormatButtonProps, 'progress'> {
  readonly onChoose: (format: ExportFormat) => void
}

/** The formats of an export. */
export function ExportDropdown({ progress, onChoose }: Props) {
  const { button, isOpen, setOpen } = useOpenOnMount()
  return (
    <Menu opened={isOpen} onChange={setOpen} position="bottom-end">
      <Menu.Target>
        <FormatButton progress={progress} ref={button} />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => onChoose('csv')}>{t('list.export.csv')}</Menu.Item>
        <Menu.Item onClick={() => onChoose('xlsx')}>{t('list.export.xlsx')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
