"""The public record: published outputs, all read by one reader."""
