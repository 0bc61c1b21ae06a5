-- What of a workbook that is written in parts has to be known to go on: its files, sheets and rows. null = none has begun.
alter table job_files add column workbook jsonb;
