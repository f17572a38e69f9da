import { create } from 'zustand'
import type { ChosenFile } from '#ui/screens/contracts/project/found-files.ts'

/** Finds the files in what was dropped or chosen. */
export type FindFiles = () => readonly ChosenFile[] | Promise<readonly ChosenFile[]>

/** Whether the dialog for artifacts is open, and what it was opened with. */
export const useArtifactsDialog = create<{ readonly isOpen: boolean; readonly dropped: FindFiles | undefined }>()(
  () => ({ isOpen: false, dropped: undefined }),
)

/** @param dropped - Files to read at once. */
export function openArtifacts(dropped?: FindFiles): void {
  useArtifactsDialog.setState({ isOpen: true, dropped })
}

export function closeArtifacts(): void {
  useArtifactsDialog.setState({ isOpen: false, dropped: undefined })
}
