-- Whether a ladder's process ended with this sample. One that was killed never said so.
ALTER TABLE ladder_samples ADD COLUMN last INTEGER NOT NULL DEFAULT 0 CHECK (last IN (0, 1));
